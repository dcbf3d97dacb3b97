import { isUtf8 } from 'node:buffer'
import { isFullRefName, isRefTarget, LONGEST_REF } from '../../rules/ref-name.ts'

/** A ref as Git data contain it. */
export interface FoundRef {
  name: string
  /** The object it names. */
  oid?: string | undefined
  /** The object that an annotated tag points to, if packed-refs says so. */
  peeled?: string | undefined
  /** The ref that a symbolic ref points to. */
  target?: string | undefined
}

/** Why Git would not accept a ref. */
export interface BrokenRef {
  code: 'git-ref-invalid' | 'git-refs-damaged'
  wrong: string
}

/** A ref with a name or target that Git refuses. */
const invalid = (wrong: string): BrokenRef => ({ code: 'git-ref-invalid', wrong })
/** Something that is no ref. */
const garbage = (wrong: string): BrokenRef => ({ code: 'git-refs-damaged', wrong })

export const isBrokenRef = (ref: FoundRef | BrokenRef): ref is BrokenRef => 'wrong' in ref

const OID = /^(?:[0-9a-f]{64}|[0-9a-f]{40})$/i

/** Parses the file of a loose ref or HEAD. */
export function parseLooseRef(name: string, content: Buffer): FoundRef | BrokenRef {
  if (name !== 'HEAD' && !isFullRefName(name)) {
    return invalid(`${show(name)} is not a valid name of a ref`)
  }
  const text = content.toString('utf8').trim()
  if (content.length > LONGEST_REF) return garbage(`${show(name)} is too long for a ref`)
  const target = /^ref:\s*(\S.*)$/.exec(text)?.[1]
  if (target !== undefined) {
    if (isRefTarget(target)) return { name, target }
    return invalid(`${show(name)} points to ${show(target)}, which is not a ref`)
  }
  const [oid = ''] = text.split(/\s/, 1)
  if (OID.test(oid)) return { name, oid: oid.toLowerCase() }
  return garbage(`${show(name)} contains ${show(text)}, neither an object id nor a ref`)
}

/** Parses packed-refs line by line. Each ref is passed to `found` once the next line, which may peel it, was seen. */
export function parsePackedRefs(found: (ref: FoundRef | BrokenRef) => void) {
  let last: FoundRef | undefined
  const end = () => {
    if (last) found(last)
    last = undefined
  }
  return {
    line(bytes: Buffer) {
      const text = bytes.toString('utf8')
      const peeled = text.startsWith('^') ? text.slice(1).trimEnd() : undefined
      if (peeled !== undefined && last?.peeled === undefined && last && OID.test(peeled)) {
        last.peeled = peeled.toLowerCase()
        return
      }
      end()
      if (text === '' || text.startsWith('#')) return
      const ref =
        bytes.length > LONGEST_REF ? garbage(`too long: ${show(text)}`) : parsePackedLine(text)
      if (isBrokenRef(ref)) found(ref)
      else last = ref
      if (!isUtf8(bytes)) found(invalid(`the name ${show(text.slice(41))} is not UTF-8`))
    },
    end,
  }
}

/** Parses a line of packed-refs that is neither a comment nor a peeled id. */
export function parsePackedLine(text: string): FoundRef | BrokenRef {
  const [, oid = '', name = ''] = /^(\S+) (.*)$/.exec(text) ?? []
  if (!OID.test(oid)) return garbage(`expected an object and a ref, found ${show(text)}`)
  if (isFullRefName(name)) return { name, oid: oid.toLowerCase() }
  return invalid(`${show(name)} is not a valid name of a ref`)
}

const show = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** Splits chunks into lines. `line` gets at most the first `longest` bytes of each. */
export function createLineSplitter(longest: number, line: (bytes: Buffer) => void) {
  let pending: Buffer = Buffer.alloc(0)
  const add = (part: Buffer) => {
    const room = longest - pending.length
    pending =
      pending.length === 0
        ? part.subarray(0, room)
        : Buffer.concat([pending, part.subarray(0, room)])
  }
  return {
    see(chunk: Buffer) {
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, end))
        line(pending)
        pending = Buffer.alloc(0)
        start = end + 1
      }
      if (start < chunk.length) {
        add(chunk.subarray(start))
        // A copy, because the caller may reuse the chunk.
        pending = Buffer.from(pending)
      }
    },
    /** Passes on the text after the last line feed. */
    end() {
      if (pending.length > 0) line(pending)
    },
  }
}
