/** No letters or digits that are taken for each other. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 16;
/** Bytes from here on would make some characters likelier than others. */
const fairMax = 256 - (256 % alphabet.length);

/** A password nobody can guess, of 16 characters. */
export const makePassword = (): string => {
  let password = '';
  while (password.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fairMax && password.length < length) password += alphabet.charAt(byte % alphabet.length);
    }
  }
  return password;
};
