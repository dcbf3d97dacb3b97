import { isObject, type JsonValue } from './json.ts'

/** How records begin as far as is known before one was read: with their type, as the host and exporters write it. */
export const ANY_RECORD = /\{\s*"type"\s*:\s*"/g

const TEXT = '"(?:[^"\\\\]|\\\\.)*"'
const start = new RegExp(`^\\{\\s*${TEXT}\\s*:\\s*`)
const second = new RegExp(`^(${TEXT})(\\s*,\\s*${TEXT}\\s*:)`)

/**
 * How the records of a file begin, learned from one of them: with the same space, and with the same type if that
 * is their first member, else with the same two names. In text of JSON, where a quote has a backslash before it,
 * nothing looks like that; an object within a record could at most by having the same members.
 */
export function signatureOf(text: string, value: JsonValue): RegExp | undefined {
  const head = isObject(value) ? start.exec(text)?.[0] : undefined
  if (head === undefined) return undefined
  const [, first = '', next = ''] = second.exec(text.slice(head.length)) ?? []
  const isTyped = /^\{\s*"type"/.test(head)
  const rest = isTyped ? literally(first) : next && `${TEXT}${literally(next)}`
  return new RegExp(literally(head) + rest, 'g')
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
