import { ClientError } from '../client/client-error.ts'
import type { Session } from '../client/open-session.ts'
import { isObject, type JsonObject, type JsonValue } from '../records/json/json.ts'
import { FACT_LISTS, type FactList, reviewsOf, type TextOf, textsOf } from './facts.ts'

/** Facts by kind and key. Several with one key are in the order of their members. */
export type Facts = Map<string, Map<string, JsonObject[]>>

/** A repository on one side. */
export interface Side {
  session: Session
  owner: string
  repo: string
}

/** What is read of a side, as it goes on. */
export type ReadProgress = (kind: string) => void

/** What was read of a repository. */
export interface Read {
  facts: Facts
  textOf: TextOf
  /** Where it is cloned from, as the server says. */
  cloneUrl: JsonValue | undefined
}

/**
 * Reads the repository itself and all lists. Throws the codes of a session; `request-refused` if there is no repository.
 *
 * @param names the names of the repository on both sides, in lower case
 */
export async function readFacts(
  side: Side,
  names: readonly string[],
  progress: ReadProgress,
): Promise<Read> {
  const { body } = await side.session.call('repository', { parameters: placeOf(side) })
  if (!isObject(body)) throw new ClientError('server-failed', 'the server described no repository')
  const textOf = textsOf(typeof body.html_url === 'string' ? body.html_url : '', names)
  const { default_branch = null, description } = body
  const members = { default_branch, description: description || null }
  const facts: Facts = new Map([['repository', new Map([['', [members]]])]])
  for (const list of FACT_LISTS) {
    progress(list.kind)
    await addFacts(facts, list, side, {}, textOf)
  }
  return { facts, textOf, cloneUrl: body.clone_url }
}

/** Adds the reviews of pull requests, named as `#12`. */
export async function addReviews(
  facts: Facts,
  side: Side,
  numbers: readonly string[],
  textOf: TextOf,
): Promise<void> {
  for (const number of numbers) {
    await addFacts(facts, reviewsOf(number), side, { pull_number: number.slice(1) }, textOf)
  }
}

async function addFacts(
  facts: Facts,
  { kind: usual, handler, query, joins, factOf }: FactList,
  side: Side,
  parameters: Record<string, string>,
  textOf: TextOf,
): Promise<void> {
  const open = (kind: string) => {
    const ofKind = facts.get(kind) ?? new Map<string, JsonObject[]>()
    facts.set(kind, ofKind)
    return ofKind
  }
  open(usual)
  const elements = side.session.list(handler, {
    parameters: { ...placeOf(side), ...parameters },
    query: { per_page: '100', ...query },
  })
  try {
    for await (const element of elements) {
      const fact = isObject(element) ? factOf(element, textOf) : undefined
      if (!fact) continue
      const { kind = usual, key, members } = fact
      const known = open(kind).get(key)
      if (!known) open(kind).set(key, [members])
      else if (joins && known[0]) Object.assign(known[0], members)
      else known.push(members)
    }
  } catch (error) {
    // A repository without issues or commits has no list of them.
    const isAbsent = error instanceof ClientError && ABSENT.includes(error.status ?? 0)
    if (!isAbsent) throw error
  }
}

const ABSENT = [404, 409, 410]

const placeOf = ({ owner, repo }: Side) => ({ owner, repo })
