import type { JsonValue } from '../records/json/json.ts'
import { isObject } from '../records/json/json.ts'
import type { Members } from './members.ts'

/** Members that may hold a secret. */
const SECRET = /token|secret|password/i

/**
 * The same members without those that may hold a secret.
 *
 * @param leaveOut called with the name of each that is left out
 */
export function withoutSecrets(members: Members, leaveOut: (name: string) => void): Members {
  for (const name of members.names()) {
    const value = members.see(name)
    if (isSecret(name, value)) {
      members.take(name)
      leaveOut(name)
    } else if (typeof value === 'object' && value !== null) {
      members.keep(name, cleaned(value, leaveOut))
    }
  }
  return members
}

/** Whether a member may hold a secret. */
export const isSecret = (name: string, value: JsonValue): boolean =>
  SECRET.test(name) && typeof value === 'string'

/** A value without secrets, however deep they are: settings of integrations have theirs in an object. */
function cleaned(value: JsonValue, leaveOut: (name: string) => void): JsonValue {
  if (Array.isArray(value)) return value.map((element) => cleaned(element, leaveOut))
  if (!isObject(value)) return value
  const kept: [string, JsonValue][] = []
  for (const [name, inner] of Object.entries(value)) {
    if (isSecret(name, inner)) leaveOut(name)
    else kept.push([name, cleaned(inner, leaveOut)])
  }
  return Object.fromEntries(kept)
}
