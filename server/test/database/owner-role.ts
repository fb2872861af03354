import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** A role of PostgreSQL that owns a database and is no superuser, whose connections have no limit. */
export interface OwnerRole {
  readonly databaseUrl: string;
  allow(connections: number): Promise<void>;
  /** Gives back what it owns. */
  remove(): Promise<void>;
}

export const createOwnerRole = async (databaseUrl: string): Promise<OwnerRole> => {
  const role = `owner_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create role ${role} login password '${role}'`);
  const url = new URL(databaseUrl);
  await client.query(`alter database ${url.pathname.slice(1)} owner to ${role}`);
  url.username = role;
  url.password = role;
  return {
    databaseUrl: url.href,
    allow: async (connections) => void (await client.query(`alter role ${role} connection limit ${connections}`)),
    remove: async () => {
      await client.query(`reassign owned by ${role} to current_user`);
      await client.query(`drop role ${role}`);
      await client.end();
    },
  };
};
