import { openDatabase } from '../../src/store/open-database.ts';
import { storeMissingOption } from '../../src/store/options.ts';

/** Lets a server that has never started charge models without a price, which its first start would make it refuse. */
export const chargeUnpriced = async (dataDir: string): Promise<void> => {
  const db = await openDatabase({ dataDir, databaseUrl: undefined });
  await db.write.transaction().execute((trx) => storeMissingOption(trx, 'UnpricedModels', 'fallback'));
  await db.close();
};
