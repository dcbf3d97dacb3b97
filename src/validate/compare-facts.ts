import type { JsonObject } from '../records/json/json.ts'
import type { Change, MemberChange } from '../transform/diff/diff-options.ts'
import type { Facts } from './read-facts.ts'

/** The differences of two sides, kind by kind: what only the first has is removed, what only the second has is added. */
export function* compareFacts(before: Facts, after: Facts): Generator<Change> {
  for (const kind of new Set([...before.keys(), ...after.keys()])) {
    const [left, right] = [before.get(kind) ?? new Map(), after.get(kind) ?? new Map()]
    for (const url of new Set<string>([...left.keys(), ...right.keys()])) {
      const [old, now] = withoutEqual(left.get(url) ?? [], right.get(url) ?? [])
      for (let i = 0; i < Math.max(old.length, now.length); i++) {
        const change = compare(old[i], now[i])
        if (change) yield { kind, url: url || null, ...change }
      }
    }
  }
}

/** Of facts with one key, those that the other side does not have. */
function withoutEqual(
  left: readonly JsonObject[],
  right: readonly JsonObject[],
): [JsonObject[], JsonObject[]] {
  const others = right.map((fact) => ({ fact, text: factText(fact) }))
  const alone = left.filter((fact) => {
    const at = others.findIndex(({ text }) => text === factText(fact))
    if (at >= 0) others.splice(at, 1)
    return at < 0
  })
  return [alone, others.map(({ fact }) => fact)]
}

const factText = (fact: JsonObject): string =>
  JSON.stringify(Object.entries(fact).sort(([a], [b]) => (a < b ? -1 : 1)))

function compare(
  old: JsonObject | undefined,
  now: JsonObject | undefined,
): Pick<Change, 'change' | 'members'> | undefined {
  if (!old || !now) {
    const side = old ? 'before' : 'after'
    const members = Object.entries(old ?? now ?? {}).map(([name, value]) => [
      name,
      { [side]: value },
    ])
    return { change: old ? 'removed' : 'added', members: Object.fromEntries(members) }
  }
  const members: Record<string, MemberChange> = {}
  for (const [name, before] of Object.entries(old)) {
    const after = now[name]
    if (JSON.stringify(before) === JSON.stringify(after)) continue
    members[name] = { before, ...(after !== undefined && { after }), ...listChange(before, after) }
  }
  return Object.keys(members).length === 0 ? undefined : { change: 'changed', members }
}

function listChange(before: unknown, after: unknown): Pick<MemberChange, 'removed' | 'added'> {
  if (!Array.isArray(before) || !Array.isArray(after)) return {}
  return {
    removed: before.filter((element) => !after.includes(element)),
    added: after.filter((element) => !before.includes(element)),
  }
}
