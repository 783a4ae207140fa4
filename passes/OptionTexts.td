// What options say of themselves, once for the passes, the pipeline and the tools.
//
// TableGen reads this file as it is; Options.h reads it as C++, where `defvar` declares a constant.

defvar sizesText = "Sizes of the dynamic dims of @main's arguments, in order";
defvar functionalizeText = "Make buffers values";
defvar planText = "A file that says how values lie (docs/plans.md); none if empty";
defvar onMissingText = "What to do with a value that has no sharding";
defvar verboseText = "Warn of each value that has no sharding, not of the largest alone";
defvar onNoRuleText = "What to do with an op that has no sharding rule";
defvar callbacksText = "What to do with calls into the process that traced the program, as Python callbacks are";
defvar conflictsText = "How it is decided which of two dims an axis splits";
defvar hintsText = "What to do with shardings that an earlier pass left behind";
defvar groupsText = "How collectives write their groups";
defvar bucketBytesText = "Collectives are merged up to this many bytes of operands; 0 merges none";
defvar gathersText = "What becomes of a gathered value that several ops read";
defvar hoistText = "Moves of what does not change in a loop are made before it, and what it collects is reduced and scattered behind it, as long as that takes no more than this many bytes more than what is held; 0 leaves in the loop what takes more";
defvar overlapText = "Make products that wait for data in pieces, while others are on their way";
defvar onceOnlyText = "Only do each move once: out of loops, and equal ones together; what moves stays as it was planned";
defvar defaultBucketBytes = 33554432;
defvar checkUserRulesText = "Run the rules that a program is partitioned by on small tensors first, and reject what is false";
defvar memoryLimitText = "The bytes that one device may hold at once, as the runtime plans it; 0 is no limit";
defvar shardingFormText = "How shardings are written";
