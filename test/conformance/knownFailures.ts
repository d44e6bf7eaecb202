/** A scenario that is known to fail, and why: what is not there to be listed must pass. */
export interface KnownFailure {
  readonly scenario: string;
  /** Absent: in every suite. */
  readonly suite?: string;
  /** Absent: at every revision. */
  readonly revision?: string;
  readonly reason: string;
}

const ENTERPRISE =
  'An extension that Faultline does not offer: authorization by an enterprise identity provider needs credentials of that provider.';

export const KNOWN_FAILURES: readonly KnownFailure[] = [
  {
    scenario: 'auth/2025-03-26-oauth-metadata-backcompat',
    suite: '0.1.16',
    reason:
      'Its metadata name another issuer than the one that they are found under, which RFC 8414 §3.3 has a client refuse. Mended in the alpha, where it passes.',
  },
  { scenario: 'auth/cross-app-access-complete-flow', reason: ENTERPRISE },
  { scenario: 'auth/enterprise-managed-authorization', reason: ENTERPRISE },
  {
    scenario: 'auth/wif-jwt-bearer',
    reason: 'An extension that Faultline does not offer: it runs for a person at a desk and has no workload identity.',
  },
];
