/** Patterns of credentials: prefixed keys, bearer headers, query parameters. */
const keyLike = [
  /\bbce-v3\/[\w/-]{6,}/g,
  /\bfk\d[\w-]{8,}/g,
  /\b(?:sk|pk|rk|fk|ak|ap|sb|gsk|xai|fastgpt|ALTAK)[-_][\w*.-]{6,}/g,
  /\bAIza[\w-]{10,}/g,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /\bBearer\s+[\w.~+/*=-]{6,}/gi,
  /\b(?:api[-_]?key|access[-_]token|key|token)=[\w.~+/*%-]{6,}/gi,
];

/** Masks credentials: upstreams quote the key they reject, and their messages reach users who must not see it. */
export const maskKeys = (text: string): string =>
  keyLike.reduce((masked, pattern) => masked.replace(pattern, '***'), text);
