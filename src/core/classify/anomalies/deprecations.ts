import { isObject } from '../../../protocol/json.ts';
import { isModern } from '../../../protocol/revisions.ts';
import { get, getString } from '../json.ts';
import { type AnomalyDetector, type Found, NONE, type Scene } from './scene.ts';

interface Deprecated {
  readonly feature: string;
  readonly since: string;
  readonly instead: string;
}

const SINCE = '2026-07-28';
const LOGGING: Deprecated = {
  feature: 'Logging',
  since: SINCE,
  instead: 'Write logs to stderr, or send OpenTelemetry.',
};
const SAMPLING: Deprecated = {
  feature: 'Sampling',
  since: SINCE,
  instead: 'Call the API of a model provider from the server.',
};
const ROOTS: Deprecated = {
  feature: 'Roots',
  since: SINCE,
  instead: 'Take folders as arguments, resources or settings of the server.',
};
const INCLUDE_CONTEXT: Deprecated = {
  feature: 'includeContext "thisServer" and "allServers"',
  since: '2025-11-25',
  instead: 'Give the context in the messages themselves.',
};

/** Features that still work and will go (2026-07-28, "Deprecated Features"); each is told once for a connection. */
export const detectDeprecation: AnomalyDetector = (scene) => {
  const found = deprecated(scene);
  const { said } = scene.connection.facts;
  return found.flatMap((one): readonly Found[] => {
    if (said.has(`deprecated ${one.feature}`)) {
      return NONE;
    }
    said.add(`deprecated ${one.feature}`);
    return [{ code: 'deprecatedFeature', args: { ...one } }];
  });
};

function deprecated({ method, params, result, revision }: Scene): readonly Deprecated[] {
  if (method === 'sampling/createMessage' && revision !== undefined && revision >= INCLUDE_CONTEXT.since) {
    const include = params === undefined ? undefined : getString(params, 'includeContext');
    return include === 'thisServer' || include === 'allServers' ? [INCLUDE_CONTEXT] : [];
  }
  if (!isModern(revision)) {
    return [];
  }
  if (method === 'notifications/message') {
    return [LOGGING];
  }
  const asked = result === undefined ? undefined : get(result, 'inputRequests');
  const methods = isObject(asked)
    ? Object.values(asked)
        .slice(0, 50)
        .map((one) => (isObject(one) ? getString(one, 'method') : undefined))
    : [];
  return [
    ...(methods.includes('sampling/createMessage') ? [SAMPLING] : []),
    ...(methods.includes('roots/list') ? [ROOTS] : []),
  ];
}
