import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../src/base/error-codes.ts'
import { thrownCodes } from './support/documented-codes.ts'
import { publicNames } from './support/public-names.ts'
import { ROOT } from './support/run-command.ts'
import { THOROUGH } from './support/thorough.ts'

/** Names in the types of parameters and results that TypeScript declares, or the function itself. */
const BUILT_IN = new Set(
  'ArrayBufferLike AsyncGenerator AsyncIterable Generator Iterable Name Omit Readonly Record'.split(
    ' ',
  ),
)

test(
  'Each type of a parameter or a result of the library has a name that it exports',
  THOROUGH,
  () => {
    const names = new Set(publicNames().map(({ name }) => name))
    const isKnown = (name: string) => names.has(name) || BUILT_IN.has(name) || name in globalThis
    const unknown = publicNames().flatMap(({ name, signatures }) =>
      signatures
        .flatMap(({ types, returns }) => [...types, returns])
        .flatMap((type) => type.replaceAll(/"[^"]*"/g, '').match(/\b[A-Z]\w+/g) ?? [])
        .filter((type) => !isKnown(type))
        .map((type) => `${name}: ${type}`),
    )
    expect(unknown).toEqual([])
  },
)

// The compiler takes more than a second of processor time.
describe('What the library exports has a docstring:', THOROUGH, () => {
  const functions = () => publicNames().filter(({ signatures }) => signatures.length > 0)

  test('each name says what it is', () => {
    expect(publicNames().length).toBeGreaterThan(200)
    const bare = publicNames().filter(({ description }) => description === '')
    expect(bare.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  test('and the guide to the library names each value', () => {
    const guide = readFileSync(join(ROOT, 'samples/library.md'), 'utf8')
    const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(guide)
    const unnamed = publicNames().filter(({ name, isType }) => !isType && !isNamed(name))
    expect(unnamed.map(({ name }) => name)).toEqual([])
  })

  test('each member of a type says what it holds, and each method what it does', () => {
    const bare = publicNames().flatMap(({ file, name, members }) =>
      members.flatMap((one) => (one.description === '' ? `${file}: ${name}.${one.name}` : [])),
    )
    expect(bare).toEqual([])
    expect(publicNames().flatMap(({ members }) => members).length).toBeGreaterThan(500)
  })

  test('each parameter of a function has a @param in its place', () => {
    const wrong = functions().flatMap(({ name, signatures, tags }) => {
      const documented = (tags.param ?? []).map((text) => text.split(/[\s.]/)[0])
      return signatures.flatMap(({ parameters }) => {
        // A parameter that is taken apart has no name.
        const isRight = parameters.every(
          (given) => given.startsWith('__') || documented.includes(given),
        )
        const isBare = (tags.param ?? []).some((text) => !/\s\S/.test(text))
        return isRight && !isBare && documented.length >= parameters.length
          ? []
          : `${name}(${parameters.join(', ')}): @param ${documented.join(', ')}`
      })
    })
    expect(wrong).toEqual([])
  })

  test('each function that returns something has @returns, and each an @example', () => {
    const returning = functions().filter(({ signatures }) =>
      signatures.some(({ returns }) => !/^(?:Promise<)?void>?$/.test(returns)),
    )
    expect(returning.filter(({ tags }) => !tags.returns?.[0]).map(({ name }) => name)).toEqual([])
    expect(
      functions()
        .filter(({ tags }) => !tags.example?.[0])
        .map(({ name }) => name),
    ).toEqual([])
  })

  test('each function has @throws with codes of errors, in words that lead to nothing else', () => {
    const faults = functions().flatMap(({ name, tags }) => {
      const { codes, unknown } = thrownCodes(name)
      // Takes values of a known type apart, and checks nothing.
      const isHarmless = name === 'describePlace' && tags.throws === undefined
      return [
        ...(codes.size > 0 || isHarmless ? [] : [`${name}: no code`]),
        ...unknown.map((word) => `${name}: ${word}`),
      ]
    })
    expect(faults).toEqual([])
  })

  test('each code that a @throws names is in a source file that the function loads', () => {
    const faults = functions().flatMap(({ name, file }) => {
      const { text, codes } = { text: textOfAll(file), codes: thrownCodes(name).own }
      return [...codes].flatMap((code) => (text.includes(`'${code}'`) ? [] : `${name}: ${code}`))
    })
    expect(faults).toEqual([])
    expect(Object.keys(ERRORS).length).toBeGreaterThan(100)
  })
})

const texts = new Map<string, string>()

/** The text of a source file and of all that it imports, without the lists of codes. */
function textOfAll(file: string): string {
  const found = new Set([file])
  for (const path of found) {
    const text = readFileSync(join(ROOT, 'src', path), 'utf8')
    texts.set(path, text)
    for (const [, one, other] of text.matchAll(/ from '(\..+)'$|import\('(\..+)'\)/gm)) {
      found.add(join(dirname(path), (one ?? other) as string))
    }
  }
  const lists = ['base/error-codes.ts', 'base/rule-codes.ts']
  return [...found].map((path) => (lists.includes(path) ? '' : texts.get(path))).join('\n')
}
