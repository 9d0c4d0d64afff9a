/**
 * What toolsets work with besides their arguments: the memory, the sandbox, the turn that calls them. Each is asked for by a
 * key that its own room declares, so that a toolset sees no more of the house than it names, and this room none of it.
 *
 * Invariant: a service that is not there is an error that names it, never `undefined` (tests/core/tool/services_test.ts).
 *
 * @module
 */

/** Names a service and carries its type. Made by `serviceKey()` in the room that provides it. */
export interface ServiceKey<T> {
  readonly name: string;
  /** Never there: it holds the type alone. */
  readonly of?: T;
}

/** Looks a service up. Throws `NoService`. */
export type FindService = <T>(key: ServiceKey<T>) => T;

/** A toolset asked for a service that is not provided where it runs. */
export class NoService extends Error {
  override readonly name = "NoService";
  constructor(readonly service: string) {
    super(`There is no "${service}" here: a toolset in a process of its own, or outside a turn, cannot use it`);
  }
}

/** Makes the key of a service. The same name makes the same key. */
export function serviceKey<T>(name: string): ServiceKey<T> {
  return { name };
}

/** The services of the house, or of one run: what is not found here is looked up in `outer`. */
export class Services {
  readonly #makers = new Map<string, () => unknown>();
  readonly #outer: Services | undefined;

  constructor(outer?: Services) {
    this.#outer = outer;
  }

  /** Provides a service, made on its first use (K-164). The last one provided under a key stands. */
  provide<T>(key: ServiceKey<T>, make: () => T): this {
    let made: { readonly value: T } | undefined;
    this.#makers.set(key.name, () => (made ??= { value: make() }).value);
    return this;
  }

  /** The service of a key. Throws `NoService`. */
  readonly service: FindService = <T>(key: ServiceKey<T>): T => {
    const make = this.#makers.get(key.name);
    // Provided under this key by `provide`, which holds value and key to one type.
    if (make) return make() as T;
    if (this.#outer) return this.#outer.service(key);
    throw new NoService(key.name);
  };
}
