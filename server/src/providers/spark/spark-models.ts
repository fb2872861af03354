export interface SparkModel {
  readonly path: string;
  readonly domain: string;
  /** The model's name in the HTTP API. */
  readonly httpName: string;
  /** The model takes system messages and functions. */
  readonly takesTools: boolean;
}

const model = (path: string, domain: string, takesTools: boolean, httpName = domain): SparkModel => ({
  path,
  domain,
  httpName,
  takesTools,
});

/** By version (provider notes 12.1). */
const byVersion = new Map<string, SparkModel>([
  ['v1.1', model('/v1.1/chat', 'lite', false)],
  ['v2.1', model('/v2.1/chat', 'generalv2', false)],
  ['v3.1', model('/v3.1/chat', 'generalv3', true)],
  ['v3.1-128K', model('/chat/pro-128k', 'pro-128k', false)],
  ['v3.5', model('/v3.5/chat', 'generalv3.5', true)],
  ['v3.5-32K', model('/chat/max-32k', 'max-32k', true)],
  ['v4.0', model('/v4.0/chat', '4.0Ultra', true)],
  ['x1', model('/v1/x1', 'x1', false, 'spark-x')],
]);

const versionOfName = new Map<string, string>([
  ['Spark-Lite', 'v1.1'],
  ['Spark-Pro', 'v3.1'],
  ['Spark-Pro-128K', 'v3.1-128K'],
  ['Spark-Max', 'v3.5'],
  ['Spark-Max-32K', 'v3.5-32K'],
  ['Spark-4.0-Ultra', 'v4.0'],
  ['Spark-X1', 'x1'],
]);

const versionDefault = 'v2.1';
const suffix = /-(v\d\.\d(?:-\d+K)?)$/;

/** The model by its name, by the version at the end of its name, or by the channel's version. Null: there is none. */
export const sparkModel = (name: string, channelVersion: string): SparkModel | null => {
  const version = versionOfName.get(name) ?? suffix.exec(name)?.[1] ?? (channelVersion || versionDefault);
  return byVersion.get(version) ?? null;
};
