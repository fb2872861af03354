import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { createToken, endTokenOverlap, listTokens, rollToken, tokenSchema, updateToken } from './tokens.ts';
import { anyTextInput, idParams, integer, textInput } from './wire.ts';

/** The token of a user in a path. */
const tokenParams = v.object({ ...idParams.entries, token: idParams.entries.id });

/** As its owner sees it, but with three characters of each end of the key. */
const maskedTokenSchema = tokenSchema;

export const listUserTokens = endpoint({
  method: 'GET',
  path: '/api/user/:id/token/',
  access: 'admin',
  effect: false,
  summary: 'One page of the tokens of an account with a lower role than yours, their keys masked.',
  params: idParams,
  query: listTokens.query,
  counted: true,
  data: v.array(maskedTokenSchema),
});
export const getUserToken = endpoint({
  method: 'GET',
  path: '/api/user/:id/token/:token',
  access: 'admin',
  effect: false,
  summary: 'One token of an account with a lower role than yours, its key masked.',
  params: tokenParams,
  data: maskedTokenSchema,
});
export const createUserToken = endpoint({
  method: 'POST',
  path: '/api/user/:id/token/',
  access: 'admin',
  effect: true,
  summary: 'Create a token for an account with a lower role than yours. This answer alone has the whole key.',
  params: idParams,
  body: createToken.body,
  data: tokenSchema,
});
/** Users of one request for tokens. */
export const tokenUsersMax = 100;

export const createTokensOfUsers = endpoint({
  method: 'POST',
  path: '/api/user/tokens',
  access: 'admin',
  effect: true,
  summary: `Create one token for each of at most ${tokenUsersMax} accounts with lower roles than yours, or for none of them. This answer alone has the whole keys.`,
  body: v.object({
    ...createToken.body.entries,
    usernames: v.array(textInput(256)),
  }),
  data: v.array(v.object({ user_id: integer, username: v.string(), id: integer, name: v.string(), key: v.string() })),
});
export type TokenOfUser = v.InferOutput<typeof createTokensOfUsers.data>[number];

export const updateUserToken = endpoint({
  method: 'PUT',
  path: '/api/user/:id/token/',
  access: 'admin',
  effect: true,
  summary:
    'Change a token of an account with a lower role than yours. Absent members stay unchanged. With ?status_only=true only `status` is read.',
  params: idParams,
  query: updateToken.query,
  body: updateToken.body,
  data: maskedTokenSchema,
});
export const deleteUserToken = endpoint({
  method: 'DELETE',
  path: '/api/user/:id/token/:token',
  access: 'admin',
  effect: true,
  summary: 'Delete a token of an account with a lower role than yours; its key stops working at once.',
  params: tokenParams,
});
export const rollUserToken = endpoint({
  method: 'POST',
  path: '/api/user/:id/token/roll',
  access: 'admin',
  effect: true,
  summary:
    'Replace the key of a token of an account with a lower role than yours. This answer alone has the whole key.',
  params: idParams,
  body: rollToken.body,
  data: tokenSchema,
});
export const endUserTokenOverlap = endpoint({
  method: 'POST',
  path: '/api/user/:id/token/roll/end',
  access: 'admin',
  effect: true,
  summary: 'End the overlap of a rolled token of an account with a lower role than yours.',
  params: idParams,
  body: endTokenOverlap.body,
  data: maskedTokenSchema,
});

/** Characters of a text to look for keys in, and keys of it that are looked up. */
export const findTextMax = 20_000;
export const findKeysMax = 50;

/** A token that has or had a key of the text. */
const foundTokenSchema = v.object({
  id: integer,
  user_id: integer,
  username: v.string(),
  name: v.string(),
  /** The key of the text that it was found by, masked. */
  key: v.string(),
  status: integer,
  /** Unix seconds. */
  accessed_time: integer,
  last_address: v.string(),
  /** 0: not deleted. */
  deleted_time: integer,
  /** Until when the found key works, if it was replaced; 0: it is the present one. */
  valid_until: integer,
  /** Whether you may change the token. */
  manageable: v.boolean(),
});
export type FoundToken = v.InferOutput<typeof foundTokenSchema>;

export const findLeakedTokens = endpoint({
  method: 'POST',
  path: '/api/token/find',
  access: 'admin',
  effect: true,
  summary: `The tokens whose keys a text holds, such as a leaked key, with or without \`sk-\` and channel. At most ${findKeysMax} keys are looked up.`,
  body: v.object({
    text: v.pipe(
      anyTextInput,
      v.check((text) => text.length <= findTextMax, `at most ${findTextMax} characters`),
    ),
  }),
  data: v.array(foundTokenSchema),
});
