import type { Clock, Random } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { RawEnd } from '../../protocol/call.ts';
import { memberOf } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import { type Backoff, firstBackoff } from '../resilience/backoff.ts';
import type { RetrySettings } from '../resilience/policy.ts';
import { retryRow } from '../resilience/retryDecision.ts';
import {
  PROMPT_SPEC,
  type PromptInfo,
  RESOURCE_SPEC,
  type ResourceInfo,
  type ResourceTemplateInfo,
  TEMPLATE_SPEC,
  toolSpec,
} from './catalogueItems.ts';
import type { ServerFacts } from './engine.ts';
import { isModern } from './era.ts';
import { booleanOf } from './json.ts';
import type { Launch } from './launch.ts';
import { type Listing, type ListingSpec, NOTHING_READ, readListing } from './listing.ts';
import type { ToolInfo } from './tools.ts';
import { untilAborted } from './untilAborted.ts';

/** All that a server lists. */
export interface Lists {
  readonly tools: Listing<ToolInfo>;
  readonly resources: Listing<ResourceInfo>;
  readonly resourceTemplates: Listing<ResourceTemplateInfo>;
  readonly prompts: Listing<PromptInfo>;
}

export interface CatalogueOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: () => RetrySettings;
  readonly newId: () => string;
  /** Over HTTP, tools may ask for headers. */
  readonly isHttp: boolean;
  /** Ends reading when somebody stops the server. */
  readonly signal: () => AbortSignal;
  /** A list was read; only ever of the launch that is followed. */
  onDidRead(kind: keyof Lists): void;
}

type ListKind = keyof Lists;

const KINDS: readonly ListKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];
const CAPABILITIES = { tools: 'tools', resources: 'resources', resourceTemplates: 'resources', prompts: 'prompts' };
const CHANGES: Readonly<Record<string, readonly ListKind[]>> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/resources/list_changed': ['resources', 'resourceTemplates'],
  'notifications/prompts/list_changed': ['prompts'],
};
/** How often a reading that was cut short by something passing is tried again. */
const REREADS = 2;
/** A list that never holds is not read at every look, ms. */
const MIN_AGE_MS = 5_000;
/** A subscription that lived so long was none that fails at once, ms. */
const STEADY_MS = 60_000;

interface Following {
  readonly launch: Launch;
  readonly specs: { readonly [K in ListKind]?: ListingSpec<never> };
  readonly stale: Set<ListKind>;
  readonly timers: Set<Disposable>;
  readonly rereads: Map<ListKind, number>;
  reading: Promise<void> | undefined;
}

/**
 * What one server lists, kept beyond the connection that it was read over. Lists are read one after the other, again when
 * the server says that they changed, or when they are looked at after the time that it gave them; a change during a reading
 * leads to another one after it, never beside it.
 */
export class Catalogue {
  private readonly options: CatalogueOptions;
  private lists: Lists = {
    tools: NOTHING_READ,
    resources: NOTHING_READ,
    resourceTemplates: NOTHING_READ,
    prompts: NOTHING_READ,
  };
  private readonly readUs = new Map<ListKind, number>();
  private followed: Following | undefined;

  constructor(options: CatalogueOptions) {
    this.options = options;
  }

  /** As of the last readings. */
  get current(): Lists {
    return this.lists;
  }

  /** Resolves when what is being read has been read; absent while nothing is. */
  get reading(): Promise<void> | undefined {
    return this.followed?.reading;
  }

  /** Reads what this server offers over `launch`, and keeps it fresh until that ends. */
  follow(launch: Launch, facts: ServerFacts): void {
    const modern = isModern(facts.revision);
    const offers = (kind: ListKind) => memberOf(facts.capabilities, CAPABILITIES[kind]) !== undefined;
    const all = {
      tools: toolSpec(modern && this.options.isHttp),
      resources: RESOURCE_SPEC,
      resourceTemplates: TEMPLATE_SPEC,
      prompts: PROMPT_SPEC,
    };
    const followed: Following = {
      launch,
      specs: Object.fromEntries(KINDS.filter(offers).map((kind) => [kind, all[kind]])),
      stale: new Set(),
      timers: new Set(),
      rereads: new Map(),
      reading: undefined,
    };
    this.followed = followed;
    launch.signal.addEventListener('abort', () => {
      for (const timer of followed.timers) {
        timer.dispose();
      }
      followed.timers.clear();
    });
    launch.onDidReceive(({ envelope }) => {
      const changed = envelope.kind === 'notification' ? CHANGES[envelope.method] : undefined;
      if (changed !== undefined && this.followed === followed) {
        this.refresh(changed);
      }
    });
    const none: Listing<never> = { items: [], isComplete: true, problems: [] };
    const absent = KINDS.filter((kind) => !offers(kind));
    this.lists = { ...this.lists, ...Object.fromEntries(absent.map((kind) => [kind, none])) };
    if (absent.includes('tools')) {
      this.options.onDidRead('tools');
    }
    this.refresh(KINDS.filter(offers));
    if (modern) {
      void this.listen(followed, facts.capabilities);
    }
  }

  /** Reads these lists, or reads them once more. */
  refresh(kinds: readonly ListKind[] = KINDS): void {
    const { followed } = this;
    if (followed === undefined || followed.launch.signal.aborted) {
      return;
    }
    for (const kind of kinds.filter((other) => followed.specs[other] !== undefined)) {
      followed.stale.add(kind);
    }
    followed.reading ??= this.readStale(followed).finally(() => {
      followed.reading = undefined;
    });
  }

  /** Reads the tools anew and waits for it, unless `signal` aborts. */
  async refreshTools(signal: AbortSignal): Promise<void> {
    this.refresh(['tools']);
    const { reading } = this;
    if (reading !== undefined) {
      await untilAborted(reading, signal);
    }
  }

  /** Someone looks: what is past its time is read again, beside whoever looks. */
  look(): void {
    const nowUs = this.options.clock.monoUs();
    const expired = KINDS.filter((kind) => {
      const { ttlMs } = this.lists[kind];
      const ageMs = (nowUs - (this.readUs.get(kind) ?? nowUs)) / 1000;
      return ttlMs !== undefined && ageMs >= Math.max(ttlMs, MIN_AGE_MS);
    });
    if (expired.length > 0) {
      this.refresh(expired);
    }
  }

  private async readStale(followed: Following): Promise<void> {
    const isWanted = () => this.followed === followed && !followed.launch.signal.aborted;
    for (;;) {
      const [kind] = followed.stale;
      if (kind === undefined || !isWanted()) {
        return;
      }
      followed.stale.delete(kind);
      const spec = followed.specs[kind];
      if (spec === undefined) {
        continue;
      }
      const { listing, failedWith } = await readListing<object>(spec as ListingSpec<object>, (params) =>
        this.ask(followed.launch, spec.method, params),
      );
      if (isWanted()) {
        this.keep(kind, this.joined(kind, listing));
        this.readAgainAfter(followed, kind, failedWith);
      }
    }
  }

  /** What was known before is kept where the new reading was cut short. */
  private joined(kind: ListKind, listing: Listing<object>): Listing<object> {
    if (listing.isComplete) {
      return listing;
    }
    const keyOf = (item: object) =>
      JSON.stringify(
        'uri' in item ? item.uri : 'uriTemplate' in item ? item.uriTemplate : 'name' in item ? item.name : '',
      );
    const known = new Map<string, object>(this.lists[kind].items.map((item) => [keyOf(item), item]));
    for (const item of listing.items) {
      known.delete(keyOf(item));
    }
    return { ...listing, items: [...listing.items, ...known.values()] };
  }

  private keep(kind: ListKind, listing: Listing<object>): void {
    this.readUs.set(kind, this.options.clock.monoUs());
    // Each list was read by the specification of its own kind.
    this.lists = { ...this.lists, [kind]: listing };
    this.options.onDidRead(kind);
  }

  private readAgainAfter(followed: Following, kind: ListKind, failedWith: RawEnd | undefined): void {
    const row = failedWith === undefined ? undefined : retryRow(failedWith, 'transport_error', 'sent');
    const rereads = followed.rereads.get(kind) ?? 0;
    if (row === undefined || row.may === 'never' || row.cause === 'session-lost' || rereads >= REREADS) {
      followed.rereads.delete(kind);
      return;
    }
    followed.rereads.set(kind, rereads + 1);
    const { baseMs, retryAfterCapMs } = this.options.settings();
    const waitMs = Math.min(row.waitMs ?? baseMs * 2 ** rereads, retryAfterCapMs);
    const timer = this.options.clock.setTimer(waitMs, () => {
      followed.timers.delete(timer);
      if (this.followed === followed) {
        this.refresh([kind]);
      }
    });
    followed.timers.add(timer);
  }

  private async ask(launch: Launch, method: string, params: JsonObject): Promise<RawEnd> {
    const { timeoutMs, totalTimeoutMs } = this.options.settings();
    const { end } = await launch.request({
      method,
      params,
      token: this.options.newId(),
      limits: { idleMs: timeoutMs, totalMs: totalTimeoutMs },
      signal: AbortSignal.any([launch.signal, this.options.signal()]),
      origin: 'client',
    });
    return end;
  }

  /**
   * Subscribes to changes (2026-07-28, `subscriptions/listen`). The request stays open; when it ends the lists may have
   * changed unheard, so it is made again, after growing waits while it keeps ending.
   */
  private async listen(followed: Following, capabilities: JsonObject): Promise<void> {
    const { launch } = followed;
    const { clock, random, settings, newId } = this.options;
    const offered = (key: string) => booleanOf(memberOf(capabilities, key), 'listChanged') === true;
    const notifications: JsonObject = {
      ...(offered('tools') ? { toolsListChanged: true } : {}),
      ...(offered('prompts') ? { promptsListChanged: true } : {}),
      ...(offered('resources') ? { resourcesListChanged: true } : {}),
    };
    if (Object.keys(notifications).length === 0) {
      return;
    }
    let backoff: Backoff = firstBackoff(settings(), random);
    while (!launch.signal.aborted) {
      const startUs = clock.monoUs();
      const { end } = await launch.request({
        method: 'subscriptions/listen',
        params: { notifications },
        token: newId(),
        limits: undefined,
        signal: AbortSignal.any([launch.signal, this.options.signal()]),
        origin: 'client',
      });
      if (end.kind !== 'result' && end.kind !== 'transport') {
        return;
      }
      backoff = clock.monoUs() - startUs > STEADY_MS * 1000 ? firstBackoff(settings(), random) : backoff;
      await clock.sleep(backoff.duration, launch.signal);
      backoff = backoff.next(undefined);
      if (this.followed === followed) {
        this.refresh();
      }
    }
  }
}
