import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;
const keyLengthMin = 32;

/** Seals secrets for the database and finds keys without storing them. */
export interface Secrets {
  /**
   * Encrypts `text` for one location, `table/column/row`: the result opens nowhere else. Every call gives another
   * result.
   */
  seal(text: string, context: string): string;
  /** Throws where the text was altered, moved to another location or sealed with another key. */
  open(sealed: string, context: string): string;
  /** Whether a text was sealed with this key. */
  isOwn(sealed: string): boolean;
  /** HMAC-SHA-256 of `text` in hex: the same for the same text, useless without the key. */
  digest(text: string): string;
  /** Distinguishes keys without revealing them. */
  readonly fingerprint: string;
}

/** One key per purpose, so that nothing learned of one use helps against another (RFC 5869). */
const derive = (key: Buffer, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `weir ${purpose}`, length));

/** `key`: at least 32 random bytes. */
export const createSecrets = (key: Buffer): Secrets => {
  if (key.length < keyLengthMin) throw new RangeError(`The secret key must have at least ${keyLengthMin} bytes`);
  const sealingKey = derive(key, 'seal', 32);
  const digestKey = derive(key, 'digest', 32);
  const fingerprint = derive(key, 'fingerprint', 16).toString('hex');
  const version = `1.${fingerprint.slice(0, 8)}`;
  const associated = (context: string) => Buffer.from(`${version}/${context}`);

  const isOwn = (sealed: string): boolean => sealed.startsWith(`${version}.`);

  return {
    seal: (text, context) => {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv(algorithm, sealingKey, nonce, { authTagLength: tagLength });
      cipher.setAAD(associated(context));
      const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${version}.${body.toString('base64url')}`;
    },
    isOwn,
    open: (sealed, context) => {
      if (!isOwn(sealed)) throw new Error('The secret was encrypted with another key');
      const body = Buffer.from(sealed.slice(version.length + 1), 'base64url');
      if (body.length < nonceLength + tagLength) throw new Error('The encrypted secret is truncated');
      const decipher = createDecipheriv(algorithm, sealingKey, body.subarray(0, nonceLength), {
        authTagLength: tagLength,
      });
      decipher.setAAD(associated(context));
      decipher.setAuthTag(body.subarray(-tagLength));
      const text = decipher.update(body.subarray(nonceLength, -tagLength));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
    digest: (text) => createHmac('sha256', digestKey).update(text).digest('hex'),
    fingerprint,
  };
};
