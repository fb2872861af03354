/** What a member of a team may do: a manager all of it, a member with keys that the member made. */
export const teamRoles = ['manager', 'member'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Members of a team at most. */
export const teamMembersMax = 1000;
