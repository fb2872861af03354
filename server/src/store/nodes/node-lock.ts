/** Names the lock that a process has on its node's name, among other users of PostgreSQL's advisory locks. */
export const nodeLockSpace = 0x57656972;
