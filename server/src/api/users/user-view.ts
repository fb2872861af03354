import type { SignedInUser, User } from '@weir/contract/users';
import type { UserRow } from '../../store/users/users.ts';

const emptyUser: User = {
  id: 0,
  username: '',
  password: '',
  display_name: '',
  role: 0,
  status: 0,
  email: '',
  github_id: '',
  wechat_id: '',
  lark_id: '',
  oidc_id: '',
  verification_code: '',
  access_token: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: '',
  aff_code: '',
  inviter_id: 0,
};

/** The answer of `POST /api/user/manage`: role and status filled, every other member present and empty. */
export const toStanding = ({ role, status }: Pick<UserRow, 'role' | 'status'>): User => ({
  ...emptyUser,
  role,
  status,
});

const mustChange = (row: UserRow) => (row.must_change_password === 1 ? { must_change_password: true } : {});

/** The login answer: five members filled, every other one present and empty. */
export const toSignedInUser = (row: UserRow): SignedInUser => ({
  ...emptyUser,
  id: row.id,
  username: row.username,
  display_name: row.display_name,
  role: row.role,
  status: row.status,
  ...mustChange(row),
});

/** An account on the wire: no password, no access token, holds counted as still owned. */
export const toAccount = (row: UserRow): User => ({
  ...emptyUser,
  id: row.id,
  username: row.username,
  display_name: row.display_name,
  role: row.role,
  status: row.status,
  email: row.email,
  github_id: row.github_id,
  wechat_id: row.wechat_id,
  lark_id: row.lark_id,
  oidc_id: row.oidc_id,
  quota: row.available + row.held,
  used_quota: row.used,
  request_count: row.request_count,
  group: row.group,
  aff_code: row.aff_code,
  inviter_id: row.inviter_id,
  ...(row.is_team === 1 && { team: true }),
});

/** The own account. */
export const toUser = (row: UserRow): SignedInUser => ({ ...toAccount(row), ...mustChange(row) });
