//===- ShardingText.h - shardings and device groups in HLO text -*- C++ -*-===//
//
// Three notations live side by side:
//
//     {devices=[2,1,4]0,4,1,5,2,6,3,7 last_tile_dim_replicate}        V1: tiles and a list of
//     devices {devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}          V2: tiles of a
//     transposed iota {mesh['x'=2,'y'=4], [{'x'}, {'y':(1)2, ?}], unreduced=max{'y'}} V3: the axes
//     of a mesh
//
// Groups of devices have the same three: `{{0,1},{2,3}}`, `[2,2]<=[4]`, `mesh['x'=2,'y'=2] {'x'}`.
//
//===----------------------------------------------------------------------===//

#ifndef SPMD_IR_HLO_TEXT_SHARDINGTEXT_H
#define SPMD_IR_HLO_TEXT_SHARDINGTEXT_H

#include "spmd/ir/hlo/hlo.pb.h"
#include "spmd/ir/hlo/text/Lexer.h"

#include <string>

namespace spmd::hlo {

/// Reads a sharding in braces.
bool parseSharding(Lexer &lexer, OpSharding &sharding);
/// Appends a sharding in braces. Where an instruction comes from is left out unless `metadata`.
void printSharding(const OpSharding &sharding, bool metadata, std::string &text);

/// Reads and appends `mesh['x'=2], device_ids=([2]T(0))`.
bool parseMesh(Lexer &lexer, MeshProto &mesh);
void printMesh(const MeshProto &mesh, std::string &text);

/// Reads and appends `{'x', 'y':(1)2}`; the axes are those of `mesh`.
bool parseAxes(Lexer &lexer, const MeshProto &mesh,
               google::protobuf::RepeatedPtrField<AxisRefProto> &axes);
void printAxes(const google::protobuf::RepeatedPtrField<AxisRefProto> &axes, const MeshProto &mesh,
               std::string &text);

/// Reads and appends the groups of a collective.
bool parseReplicaGroups(Lexer &lexer, HloInstructionProto &instruction);
bool hasReplicaGroups(const HloInstructionProto &instruction);
void printReplicaGroups(const HloInstructionProto &instruction, std::string &text);

} // namespace spmd::hlo

#endif
