import { parentPort, workerData } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import * as v from 'valibot';

const { password, encoded } = v.parse(v.object({ password: v.string(), encoded: v.string() }), workerData);
parentPort?.postMessage(compareSync(password, encoded));
