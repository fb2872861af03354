import { randomBytes } from 'node:crypto';
import { afterEach, expect, inject, test } from 'vitest';
import { addChannel, addToken, addUser } from '../../../test/database/accounts.ts';
import { createTestStorage, type TestStorage } from '../../../test/database/database.ts';
import { failToStart, startServer } from '../../../test/processes/server-process.ts';
import {
  insertAlertDestination,
  listAlertDestinations,
  openDestination,
  sealedDestination,
} from '../alerts/alert-destinations.ts';
import { storedChannelConfig, proxyIn } from '../channels/channel-config.ts';
import { channelKeyColumns, findChannel, openChannelKeys } from '../channels/channels.ts';
import type { Database } from '../database.ts';
import {
  findInvitationByDigest,
  insertInvitation,
  invitationCodeColumns,
  openInvitationCode,
} from '../invitations/invitations.ts';
import { openDatabase } from '../open-database.ts';
import { readOptionTexts, writeOptionTexts } from '../options.ts';
import { findRedemptionByDigest, insertRedemptions, openRedemptionKey } from '../redemptions.ts';
import { findTokenByDigest, openTokenKey, tokenKeyColumns } from '../tokens.ts';
import { findUpstreamStates, keepUpstreamStates } from '../upstream-states.ts';
import { resealSecrets } from './reseal.ts';
import { createSecrets, type Secrets } from './secrets.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const [previous, next] = [createSecrets(first), createSecrets(second)];
const places: TestStorage[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});
const storage = async (): Promise<TestStorage> => {
  const place = await createTestStorage({ template: inject('migrated') });
  places.push(place);
  return place;
};
const open = ({ dataDir, databaseUrl }: TestStorage, key: Secrets, before?: Secrets) =>
  openDatabase({
    dataDir,
    databaseUrl,
    secretFingerprint: key.fingerprint,
    ...(before && { previousFingerprint: before.fingerprint }),
  });

const proxy = 'http://user:password@proxy:3128';
const keyOf = (index: number): string => `${index}`.padStart(48, 'k');
const codeOf = (index: number): string => `${index}`.padStart(32, 'c');
const stateOf = (secrets: Secrets, channel: number) => ({
  id: `response${channel}`,
  user_id: 1,
  origin_id: 'origin',
  channel_key: `${channel}/0/${secrets.digest('sk-one\nsk-two')}/https://upstream`,
  tokens: 1,
  expires_at: 9_000_000_000,
});

const destination = { address: 'https://chat.example', secret: 'signing', server: '' };
const addDestination = (db: Database) =>
  db.write.transaction().execute((trx) =>
    insertAlertDestination(trx, {
      name: 'chat',
      kind: 'webhook',
      enabled: 1,
      quiet_from: '',
      quiet_until: '',
      quiet_zone: '',
      ...sealedDestination(previous, destination),
    }),
  );

/** More tokens than one step takes, and one of everything else that is sealed, or found by a keyed digest. */
const fill = async (db: Database, tokens: number) => {
  const userId = await addUser(db);
  const id = await addToken(db, userId);
  const { id: _, ...row } = await db.read
    .selectFrom('tokens')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  for (let from = 0; from < tokens; from += 500) {
    const rows = Array.from({ length: Math.min(500, tokens - from) }, (__, index) => ({
      ...row,
      ...tokenKeyColumns(previous, keyOf(from + index)),
    }));
    await db.write.insertInto('tokens').values(rows).execute();
  }
  const config = storedChannelConfig(previous, JSON.stringify({ proxy, region: 'here' }), '');
  const channel = await addChannel(db, { ...channelKeyColumns(previous, 'sk-one\nsk-two'), config });
  await db.write.transaction().execute(async (trx) => {
    await writeOptionTexts(trx, previous, new Map([['SMTPToken', 'mail password']]));
    await insertRedemptions(trx, previous, { keys: [codeOf(1)], userId, name: 'code', quota: 1, at: 1 });
    await insertInvitation(trx, {
      name: 'invitation',
      ...invitationCodeColumns(previous, codeOf(2)),
      account_group: 'default',
      team_id: 0,
      preset_id: 0,
      uses: 0,
      uses_max: 1,
      expires_at: 0,
      created_by: 1,
      created_time: 1,
      deleted_time: 0,
    });
  });
  await keepUpstreamStates(db, [stateOf(previous, channel)]);
  await addDestination(db);
  return channel;
};

/** Everything opens with a key, and is found by its digests. */
const expectAll = async (db: Database, secrets: Secrets, channel: number): Promise<void> => {
  for (const index of [0, 499, 500, 619]) {
    const token = await findTokenByDigest(db, secrets.digest(keyOf(index)));
    expect(token && openTokenKey(secrets, token)).toBe(keyOf(index));
  }
  const row = await findChannel(db.read, channel);
  expect(row && openChannelKeys(secrets, row)).toEqual(['sk-one', 'sk-two']);
  expect(proxyIn(secrets, row?.config ?? '')).toBe(proxy);
  const destinations = await listAlertDestinations(db.read);
  expect(destinations.map((each) => openDestination(secrets, each))).toEqual([destination]);
  const code = await findRedemptionByDigest(db.read, secrets.digest(codeOf(1)));
  expect(code && openRedemptionKey(secrets, code)).toBe(codeOf(1));
  const invitation = await findInvitationByDigest(db.read, secrets.digest(codeOf(2)));
  expect(invitation && openInvitationCode(secrets, invitation)).toBe(codeOf(2));
  expect((await readOptionTexts(db, secrets)).get('SMTPToken')).toBe('mail password');
  expect(await findUpstreamStates(db, [`response${channel}`], 1)).toMatchObject([stateOf(secrets, channel)]);
};

test('O8 a changed secret key seals everything anew, also where it is cut off after any table', async () => {
  const place = await storage();
  let db = await open(place, previous);
  const channel = await fill(db, 620);
  await db.close();
  await expect(open(place, next)).rejects.toThrow('set PREVIOUS_SECRET_KEY to the one before');
  await expect(open(place, next, createSecrets(randomBytes(32)))).rejects.toThrow('SECRET_KEY does not match');
  const tables = [
    'options',
    'channels',
    'upstream_states',
    'alert_destinations',
    'invitations',
    'redemptions',
    'tokens',
  ];
  for (const cutAt of tables) {
    db = await open(place, next, previous);
    const say = (table: string) => {
      if (table === cutAt) throw new Error('cut off');
    };
    await expect(resealSecrets({ db, previous, next, say })).rejects.toThrow('cut off');
    await db.close();
    await expect(open(place, previous)).rejects.toThrow('SECRET_KEY does not match');
    await expect(open(place, next)).rejects.toThrow('is not finished');
  }
  db = await open(place, next, previous);
  const said: string[] = [];
  expect(await resealSecrets({ db, previous, next, say: (table) => said.push(table) })).toBe(true);
  expect(said).toEqual(tables);
  await expectAll(db, next, channel);
  expect(await resealSecrets({ db, previous, next, say: () => undefined })).toBe(false);
  await db.close();
  await (await open(place, next)).close();
});

test('O8 a start killed while it seals anew goes on at the next one, and serves with the changed key', async () => {
  const place = await storage();
  const db = await open(place, previous);
  // Enough that the signal arrives before the end.
  const channel = await fill(db, 5000);
  await db.close();
  const env = {
    ...(place.databaseUrl !== undefined && { DATABASE_URL: place.databaseUrl }),
    SECRET_KEY: second.toString('hex'),
    LOG_LEVEL: 'info',
  };
  const changing = { ...env, DATA_DIR: place.dataDir, PREVIOUS_SECRET_KEY: first.toString('hex') };
  const killed = await failToStart(changing, { killAt: '"table":"options"' });
  expect(killed.code).toBeNull();
  expect(killed.output).not.toContain('is ready');
  const refused = await failToStart({ ...changing, PREVIOUS_SECRET_KEY: '' });
  expect(refused.output).toContain('Weir cannot start: A change of the secret key is not finished');
  const server = await startServer({ dataDir: place.dataDir, env: changing });
  expect(server.output()).toContain('PREVIOUS_SECRET_KEY may be removed');
  expect(await server.stop('SIGTERM')).toBe(0);
  const after = await open(place, next);
  await expectAll(after, next, channel);
  await after.close();
});

test('O8 nodes that run with the key before keep it from being changed', async () => {
  const place = await storage();
  const running = await open(place, previous);
  const other = { ...place, dataDir: `${place.dataDir}/other`, databaseUrl: place.databaseUrl };
  if (place.databaseUrl !== undefined) {
    const { dataDir, databaseUrl } = other;
    const keys = { secretFingerprint: next.fingerprint, previousFingerprint: previous.fingerprint };
    await expect(openDatabase({ dataDir, databaseUrl, nodeName: 'second', ...keys })).rejects.toThrow(
      'stop them first',
    );
  } else await expect(open(place, next, previous)).rejects.toThrow('Another process is using');
  await running.close();
  await (await open(place, previous)).close();
});
