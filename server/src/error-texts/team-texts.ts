/** Failures about teams, invitations and key presets. */
export const teamTexts = {
  team_manager_only: { en: 'Only a manager of the team can do this', zh: '只有该团队的管理者可以执行此操作' },
  team_member_unknown: { en: 'The user is no member of this team', zh: '该用户不是此团队的成员' },
  team_member_team: { en: 'A team cannot be a member of a team', zh: '团队不能成为团队的成员' },
  team_last_manager: {
    en: 'The team would have no manager: make another member a manager first',
    zh: '该团队将没有管理者：请先将另一名成员设为管理者',
  },
  team_member_twice: { en: '{name} is a member of this team already', zh: '{name} 已是该团队的成员' },
  team_full: { en: 'A team has at most {max} members', zh: '团队最多有 {max} 名成员' },
  team_without_login: {
    en: 'A team is an account without a sign-in: it has no password and no role',
    zh: '团队是不可登录的账户：没有密码和角色',
  },
  invitation_over: {
    en: 'This invitation opens no more accounts: ask for another one',
    zh: '此邀请已不能再创建账户：请索取新的邀请',
  },
  invitation_team_gone: { en: 'There is no such team', zh: '没有此团队' },
  preset_unknown: { en: 'There is no such key preset', zh: '没有此密钥预设' },
  preset_invited: {
    en: 'Invitations make tokens by this preset: delete them first',
    zh: '有邀请使用此预设创建令牌：请先删除这些邀请',
  },
  presets_many: { en: 'There are {max} key presets, which is the most', zh: '密钥预设已达上限 {max} 个' },
} as const;
