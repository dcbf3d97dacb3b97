import { setTimeout as sleep } from 'node:timers/promises'
import { ArchiveError } from '../../../base/errors.ts'
import { describeHolder, type Holder, newHolder } from '../../../files/lock-file.ts'
import { hasEnded, isOfThisMachine } from '../../../files/partial-file.ts'
import type { LockOptions } from '../../exporter.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

/** Milliseconds after which an untouched lock of another machine is stale. */
const STALE = 10 * 60_000
/** How often the holder touches its lock. */
const TOUCH = 60_000
const POLL = 500

/**
 * Takes a lock: an object that is written only if there is none, or in place of a stale one. Reads it back, because
 * some stores ignore conditions. On such a store the later of two writers has the lock, unless both write within the
 * time of one request.
 *
 * @returns a function that releases the lock
 * @throws `partition-busy`, `interrupted`, `target-failed`
 */
export async function lockObject(
  store: ObjectStore,
  key: string,
  { wait = true, signal }: LockOptions,
): Promise<() => Promise<void>> {
  const own = newHolder()
  const body = JSON.stringify(own)
  let found = await store.get(key)
  while (holderIn(found)?.token !== own.token) {
    if (!found || isStale(found)) {
      const condition = found ? { ifMatch: found.etag } : ({ ifNoneMatch: '*' } as const)
      await store.put(key, body, { condition })
    } else if (wait) {
      await sleep(POLL, undefined, { signal })
    } else {
      const message = `${describeHolder(holderIn(found))} writes this partition`
      throw new ArchiveError('partition-busy', message, { archive: store.shown })
    }
    found = await store.get(key)
  }
  const { etag } = found as StoredObject
  const touch = () => store.put(key, body, { condition: { ifMatch: etag } })
  const timer = setInterval(() => void touch().catch(() => {}), TOUCH)
  timer.unref()
  return async () => {
    clearInterval(timer)
    try {
      if (holderIn(await store.get(key))?.token === own.token) await store.remove(key)
    } catch {
      // The store is gone. The lock becomes stale.
    }
  }
}

function holderIn(object: StoredObject | undefined): Holder | undefined {
  try {
    const { owner, host, token } = JSON.parse(String(object?.bytes)) as Partial<Holder>
    return { owner: String(owner), host: String(host), token: String(token) }
  } catch {
    return undefined
  }
}

function isStale(object: StoredObject): boolean {
  const holder = holderIn(object)
  if (holder && isOfThisMachine(holder.owner)) return hasEnded(holder.owner)
  return object.age > STALE
}
