import { ERRORS, type ErrorCode } from '../../src/base/error-codes.ts'
import { RULES } from '../../src/rules/rules.ts'
import { publicNames } from './public-names.ts'

/** The codes that the @throws of a public function names. */
export interface ThrownCodes {
  /** The codes, with those of functions that it refers to. */
  codes: ReadonlySet<string>
  /** The codes without them. A beginning such as `tar-…` stands for all of its codes, and none of them is here. */
  own: ReadonlySet<ErrorCode>
  /** Words in backticks that are neither. */
  unknown: readonly string[]
}

const isCode = (word: string): word is ErrorCode => Object.hasOwn(ERRORS, word)

/**
 * Reads the @throws of a public function: codes of errors in backticks, beginnings of codes (`tar-…`), `RULES` for the codes of
 * documented rules, and names of functions whose codes it throws as well.
 */
export function thrownCodes(name: string, above: readonly string[] = []): ThrownCodes {
  const found = publicNames().find((one) => one.name === name)
  const words = [...(found?.tags.throws ?? []).join('\n').matchAll(/`([^`]+)`/g)].map(
    ([, word]) => word as string,
  )
  const codes = new Set<string>()
  const own = new Set<ErrorCode>()
  const unknown: string[] = []
  for (const word of words) {
    const beginning = /^([a-z]+-)…$/.exec(word)?.[1]
    const begun = Object.keys(ERRORS).filter((code) => beginning && code.startsWith(beginning))
    if (isCode(word)) own.add(word)
    else if (begun.length > 0) for (const code of begun) codes.add(code)
    else if (word === 'RULES') for (const { code } of RULES) codes.add(code)
    else if (isFunction(word)) {
      if (above.includes(word)) continue
      for (const code of thrownCodes(word, [...above, name]).codes) codes.add(code)
    } else if (!isOption(word)) unknown.push(word)
  }
  return { codes: new Set([...codes, ...own]), own, unknown }
}

const isFunction = (word: string): boolean =>
  publicNames().some(({ name, signatures }) => name === word && signatures.length > 0)

/** Whether options have a member of this name: `@throws` may say with which of them a code is thrown. */
const isOption = (word: string): boolean =>
  publicNames().some(
    ({ name, members }) => /Options$/.test(name) && members.some((member) => member.name === word),
  )
