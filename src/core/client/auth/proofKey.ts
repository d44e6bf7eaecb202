import {
  type DpopKeyPair,
  DpopSession,
  generateDpopKeyPair,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import type { Authorizer } from '../authorizer.ts';

/** What the specification asks every implementation to know (RFC 9449, 5.1 with RFC 8725). */
const ALGORITHM = 'ES256';
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;

type PublicJwk = DpopKeyPair['publicJwk'];

interface KeptKey {
  /** Of the same kind, with its private member. */
  readonly privateJwk: PublicJwk;
  readonly publicJwk: PublicJwk;
  readonly thumbprint: string;
}

/**
 * The provider with proofs of possession: tokens are bound to a key that is kept beside them (RFC 9449), so that whoever gets
 * hold of a token alone can do nothing with it. Only where the authorization server says that it knows such tokens.
 */
export function withProofKey({ provider, proofKey }: Authorizer): OAuthClientProvider {
  if (proofKey === undefined) {
    return provider;
  }
  let session: Promise<DpopSession> | undefined;
  const dpop = async () => {
    if (session === undefined && (await proofKey.algorithms()).includes(ALGORITHM)) {
      session ??= openKey(proofKey).then((keyPair) => DpopSession.create({ keyPair }));
    }
    return session;
  };
  return Object.create(provider, { dpop: { value: dpop, enumerable: true } });
}

async function openKey(proofKey: NonNullable<Authorizer['proofKey']>): Promise<DpopKeyPair> {
  const text = await proofKey.read();
  try {
    if (text !== undefined) {
      const { privateJwk, publicJwk, thumbprint } = JSON.parse(text) as KeptKey;
      const [privateKey, publicKey] = await Promise.all([
        crypto.subtle.importKey('jwk', privateJwk, CURVE, false, ['sign']),
        crypto.subtle.importKey('jwk', publicJwk, CURVE, true, ['verify']),
      ]);
      return { privateKey, publicKey, publicJwk, thumbprint, alg: ALGORITHM };
    }
  } catch {
    // It is no key: tokens that were bound to it are lost, and a person signs in once more.
  }
  const made = await generateDpopKeyPair({ alg: ALGORITHM, extractable: true });
  // Made here, and so that it may be taken out.
  const privateJwk = (await crypto.subtle.exportKey('jwk', made.privateKey as never)) as PublicJwk;
  const kept: KeptKey = { privateJwk, publicJwk: made.publicJwk, thumbprint: made.thumbprint };
  await proofKey.write(JSON.stringify(kept));
  return made;
}
