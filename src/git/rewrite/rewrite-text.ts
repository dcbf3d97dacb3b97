import { isUtf8 } from 'node:buffer'

/** The replacements for identities and ids. */
export interface Edits {
  /** The new id of a commit, tag or tree; the same if it keeps its id. */
  idOf(oid: string): string
  /** The new id, whole or its first digits, of a commit that a message names; the same if it stays. */
  namedId?(digits: string): string
  /** A name and address; the same if they stay. */
  personOf(person: GitPerson): GitPerson
  /** A message; the same if it stays. */
  textOf?(text: string): string
  /** The name of a tag; the same if it stays. */
  tagNameOf?(name: string): string
}

/** A person as commits and tags name them. */
export interface GitPerson {
  name: string
  email: string
}

/** Headers with signatures, and with tags that have some: they would no longer fit. */
const SIGNATURES = new Set(['gpgsig', 'gpgsig-sha256', 'mergetag'])
const PEOPLE = new Set(['author', 'committer', 'tagger'])
const LINKS = new Set(['tree', 'parent', 'object'])

/** Ids of commits in messages, whole or their first digits. */
const IDS = /(?<![0-9A-Za-z_])(?:[0-9a-f]{40}|(?=[0-9]*[a-f])[0-9a-f]{7,39})(?![0-9A-Za-z_])/g

/**
 * Rewrites the people in the headers of a commit or tag, and in the lines at the end of a message that name some, such as
 * `Co-authored-by`. A commit or tag that changes loses its signatures. Returns the same bytes if nothing changes.
 */
export function rewriteText(content: Buffer, edits: Edits): Buffer {
  // One character for each byte.
  const whole = content.toString('latin1')
  const found = whole.indexOf('\n\n')
  const end = found < 0 ? whole.length : found
  const message = whole.slice(end)
  let isChanged = false
  const headers = whole
    .slice(0, end)
    .split(/\n(?! )/)
    .map((header) => {
      const [name = ''] = header.split(' ', 1)
      // The tag in it names a person, too.
      if (name === 'mergetag') isChanged = true
      const line = rewriteHeader(name, header, edits)
      isChanged ||= line !== header
      return { name, line }
    })
  const newMessage = message
    .replace(TRAILER, (line, before: string, value: string) => {
      const now = rewritePerson(value, edits)
      isChanged ||= now !== value
      return now === value ? line : before + now
    })
    .replace(BARE_TRAILER, (line, before: string, value: string) => {
      const now = editBytes(value, (email) => edits.personOf({ name: '', email }).email)
      isChanged ||= now !== value
      return now === value ? line : before + now
    })
  const { namedId } = edits
  const named = namedId ? newMessage.replace(IDS, (id) => namedId(id)) : newMessage
  const editedMessage = edits.textOf ? editBytes(named, edits.textOf) : named
  isChanged ||= editedMessage !== newMessage
  if (!isChanged) return content
  const kept = headers.filter(({ name }) => !SIGNATURES.has(name)).map(({ line }) => line)
  const isTag = headers[0]?.name === 'object'
  const unsigned = isTag ? editedMessage.replace(SIGNATURE, '\n') : editedMessage
  return Buffer.from(kept.join('\n') + unsigned, 'latin1')
}

/** Whether a commit or tag has a signature. */
export function isSigned(content: Buffer): boolean {
  const whole = content.toString('latin1')
  const end = whole.indexOf('\n\n')
  return (
    /^(?:gpgsig|mergetag)/m.test(end < 0 ? whole : whole.slice(0, end)) ||
    (whole.startsWith('object ') && SIGNATURE.test(whole))
  )
}

/** Rewrites a header: people, ids, the name of a tag, and whatever else a program wrote there as a text. */
function rewriteHeader(name: string, header: string, edits: Edits): string {
  const value = header.slice(name.length + 1)
  const { idOf, tagNameOf, textOf } = edits
  const now = PEOPLE.has(name)
    ? rewritePerson(value, edits)
    : LINKS.has(name)
      ? idOf(value)
      : name === 'tag' && tagNameOf
        ? editBytes(value, tagNameOf)
        : undefined
  if (now !== undefined) return now === value ? header : `${name} ${now}`
  return textOf && name !== 'type' ? editBytes(header, textOf) : header
}

/** `Co-authored-by: Ada <ada@example.org>` and the like. */
const TRAILER = /^([A-Za-z][A-Za-z-]{0,40}-by:[ \t]{0,10})([^\n<]{0,500}<[^\n>]{1,500}>)/gim

/** `Signed-off-by: ada@example.org`, without a name. */
const BARE_TRAILER =
  /^([A-Za-z][A-Za-z-]{0,40}-by:[ \t]{0,10})([^\s<>@]{1,64}@[^\s<>@]{1,255})(?=[ \t]*$)/gim

/** The signature at the end of a tag. */
const SIGNATURE =
  /\n-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----\n[\s\S]*$/

const PERSON = /^([^<]*)<([^>]*)>(.*)$/s
const TIME = /^ -?\d+ [+-]\d+$/

function rewritePerson(line: string, { personOf, textOf = (text) => text }: Edits): string {
  const [, name, email, rest] = PERSON.exec(line) ?? []
  // Git writes no such line, but reads it.
  if (name === undefined || email === undefined || rest === undefined) {
    return editBytes(line, textOf)
  }
  const newRest = TIME.test(rest) ? rest : editBytes(rest, textOf)
  const [oldName, oldEmail] = [decode(name.trim()), decode(email.trim())]
  const now = personOf({ name: oldName.text, email: oldEmail.text })
  if (now.name === oldName.text && now.email === oldEmail.text) {
    return newRest === rest ? line : line.slice(0, line.length - rest.length) + newRest
  }
  const newName = now.name === oldName.text ? name.trim() : asBytes(now.name)
  const newEmail = now.email === oldEmail.text ? email.trim() : asBytes(now.email)
  return `${newName}${newName === '' ? '' : ' '}<${newEmail}>${newRest}`
}

/**
 * Edits the text of bytes, each of which is a character: in UTF-8, or else in Latin-1, in which characters of UTF-8 may be as well.
 * Zeros are taken out if there is something to edit between them, as in UTF-16: Git shows no text behind one.
 */
export function editBytes(bytes: string, edit: (text: string) => string): string {
  if (bytes.includes('\0')) {
    const narrow = bytes.replaceAll('\0', '')
    const now = editBytes(narrow, edit)
    if (now !== narrow) return now
  }
  const { text, encode } = decode(bytes)
  const now = edit(text)
  const edited = now === text ? bytes : encode(now)
  if (encode === asBytes) return edited
  const mixed = asMixedText(edited)
  const nowMixed = edit(mixed)
  return nowMixed === mixed ? edited : asMixedBytes(nowMixed)
}

const decode = (bytes: string): { text: string; encode(text: string): string } =>
  isUtf8(Buffer.from(bytes, 'latin1'))
    ? { text: asText(bytes), encode: asBytes }
    : { text: bytes, encode: (text) => (/^[\0-\xff]*$/.test(text) ? text : asBytes(text)) }

const asText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')

/** Several bytes that may be a character of UTF-8, or one that is not ASCII. */
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g
const LONE = 0xdc00

/** The text of bytes in UTF-8, and half a surrogate pair for each byte that is no part of a character. */
const asMixedText = (bytes: string): string =>
  bytes.replace(SEQUENCE, (sequence) =>
    isUtf8(Buffer.from(sequence, 'latin1'))
      ? asText(sequence)
      : sequence.replace(/./gs, (byte) => String.fromCharCode(LONE + byte.charCodeAt(0))),
  )

const asMixedBytes = (text: string): string =>
  text
    .split(/(\p{Cs}+)/u)
    .map((part, i) =>
      i % 2 === 0
        ? asBytes(part)
        : part.replace(/./gs, (half) => String.fromCharCode(half.charCodeAt(0) - LONE)),
    )
    .join('')
