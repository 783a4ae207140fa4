// Exists so that the precompiled header belongs to a target of its own.
