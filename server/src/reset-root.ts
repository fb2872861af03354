import { placeOf, readArguments, runCommand, say } from './backup/command-line.ts';
import { StartError } from './errors.ts';
import { createPasswords } from './http/passwords/passwords.ts';
import { appendAudit } from './store/audit.ts';
import { randomPassword } from './store/credentials/random-string.ts';
import { openForMaintenance } from './store/engine/maintenance.ts';
import { deleteSessionsOf } from './store/users/sessions.ts';
import { findRoot, passwordChange, updateUser } from './store/users/users.ts';

const usage = `npm run reset-root
Gives root of DATA_DIR or DATABASE_URL a new password, which is printed once and changed after signing in. Ends root's sessions and
its system access token, and writes an entry of the audit log. On SQLite the gateway is stopped; on PostgreSQL it may run.`;

const main = async (): Promise<number> => {
  readArguments({}, 0);
  const { write, close } = await openForMaintenance(placeOf(undefined));
  try {
    const root = await findRoot(write);
    if (root === undefined) throw new StartError('There is no root account yet: the first start makes it');
    const password = randomPassword();
    const hash = await createPasswords().hash(password);
    await write.transaction().execute(async (trx) => {
      await updateUser(trx, root.id, passwordChange(hash, { mustChange: true }));
      await deleteSessionsOf(trx, { userId: root.id, keep: '' });
      await appendAudit(trx, {
        created_at: Math.floor(Date.now() / 1000),
        actor_id: 0,
        actor_name: '',
        action: 'reset_password',
        subject: `user ${root.id}`,
        detail: 'npm run reset-root',
        address: '',
        request_id: '',
      });
    });
    say(`Sign in as ${root.username} with the password ${password} (shown once; change it after signing in)`);
    return 0;
  } finally {
    await close();
  }
};

await runCommand(usage, main);
