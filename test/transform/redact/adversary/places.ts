/** The places of an archive that can hold a value, but for Git data. */

import type { JsonObject, JsonValue } from '../../../../src/records/json/json.ts'
import type { Column, Members } from '../../../../src/records/kinds/kind.ts'
import { isColumn } from '../../../../src/records/kinds/member-paths.ts'
import { EVERY_KIND } from '../../../support/any-records.ts'
import {
  type FileContent,
  type Files,
  type HeaderFields,
  member,
  pax,
  tarOf,
} from '../../../support/build-tar.ts'
import { FILE_CLOTHES, TEXT_CLOTHES } from './clothes.ts'
import { FORMS, HOST } from './forms.ts'
import { isKnown } from './known.ts'
import { type Form, Planter } from './planter.ts'

const allForms = Object.values(FORMS).flat()

/** One form of each type of value, each time the next one; the seed says where to begin. */
function createRotation({ seed }: Planter): () => Form[] {
  let turn = seed
  return () => {
    turn++
    return Object.values(FORMS).map((forms) => forms[turn % forms.length] as Form)
  }
}

/** Texts with these forms, one a line, but for those that are known to stay. */
const linesOf = (planter: Planter, forms: readonly Form[], place: string, clothes: string) =>
  forms
    .filter((form) => !isKnown(form, place, clothes))
    .map((form) => dressed(planter, form, place, clothes))
    .join('\n')

/** A text with one form. */
export const dressed = (planter: Planter, form: Form, place: string, clothes: string): string =>
  (TEXT_CLOTHES[clothes] as (text: string) => string)(planter.plant(form, place, clothes))

/** Records of every kind, whose members all hold a value of each type, in each of the clothes of texts. */
export function plantRecords(planter: Planter, clothes = Object.keys(TEXT_CLOTHES)): Files {
  const next = createRotation(planter)
  const files: Record<string, FileContent> = {}
  for (const [name, kind] of EVERY_KIND) {
    const records = clothes.map((cloth, i) => {
      const text = (member: string) => linesOf(planter, next(), `${name}.${member}`, cloth)
      const record: JsonObject = { type: kind.type, ...objectOf(kind.columns, '', text) }
      return {
        ...record,
        url: `${HOST}/${name}/${i}?${text('url')}`,
        unknown: { deep: [text('unknown'), { [text('name of a member')]: 1 }] },
      }
    })
    files[`${name}_000001.json`] = records
  }
  return files
}

const objectOf = (members: Members, before: string, text: (member: string) => string) =>
  Object.fromEntries(
    Object.entries(members).map(([name, column]) => [name, stringsIn(column, before + name, text)]),
  )

/** A string in the place of any value: in the place of a number or date, too. */
function stringsIn(column: Column, member: string, text: (member: string) => string): JsonValue {
  if (column.members) return objectOf(column.members, `${member}.`, text)
  if (!column.list) return text(member)
  const { element } = column.list
  return [
    isColumn(element) ? text(`${member}[]`) : objectOf(element, `${member}[].`, text),
  ] as JsonValue
}

/** A text of an issue that has every form. */
export function plantForms(planter: Planter): Files {
  const issues = Object.keys(TEXT_CLOTHES).map((clothes, i) => ({
    type: 'issue',
    url: `${HOST}/kettle/tools/issues/${i}`,
    title: 'x',
    labels: [],
    repository: `${HOST}/kettle/tools`,
    user: `${HOST}/kettle`,
    body: linesOf(planter, allForms, 'any text', clothes),
    created_at: '2020-01-01T00:00:00Z',
  }))
  return { 'issues_000002.json': issues }
}

/** Whether an encoding has the letters of Western Europe only. */
const isNarrow = (clothes: string) => /Latin|windows|Shift/.test(clothes)

/** Attachments of every type with every form, and with some in each of the clothes of texts. */
export function plantFiles(planter: Planter): Files {
  const next = createRotation(planter)
  const files: Record<string, FileContent> = {}
  for (const [clothes, { ending, bytes }] of Object.entries(FILE_CLOTHES)) {
    const folder = `attachments/${Object.keys(files).length}`
    const place = `an attachment .${ending}: ${clothes}`
    const isWritable = ({ name }: Form) => !(isNarrow(clothes) && name.includes('Cyrillic'))
    const lines = allForms.filter(isWritable).map((form) => planter.plant(form, place, 'as it is'))
    files[`${folder}/all.${ending}`] = bytes(lines.join('\n'))
    for (const inner of Object.keys(TEXT_CLOTHES)) {
      if (isNarrow(clothes) && inner.includes('marks')) continue
      const text = linesOf(planter, next().filter(isWritable), place, inner)
      files[`${folder}/some.${inner.replaceAll(' ', '-')}.${ending}`] = bytes(text)
    }
  }
  return files
}

/** What has a slash or line break is no name. */
const isName = (form: Form) => !/[/\n]/.test(new Planter().plant(form, '', ''))

/** Places in which a name of a file may be. */
export const NAMES: Readonly<Record<string, (name: string) => string>> = {
  'the name of an attachment': (name) => `attachments/a/${name}`,
  'the name of an attachment, behind a hyphen': (name) => `attachments/b/report-${name}.txt`,
  'the name of an attachment, behind an underscore': (name) => `attachments/b/report_${name}.txt`,
  'the name of an attachment, before a hyphen': (name) => `attachments/c/${name}-1.txt`,
  'the name of an attachment, before an underscore': (name) => `attachments/d/${name}_1.txt`,
  'the name of a folder': (name) => `attachments/${name}/x.txt`,
  'the name of another entry': (name) => `other/${name}.dat`,
}

/** An entry whose name has a form. */
export const named = (planter: Planter, form: Form, place: string): Files => ({
  [(NAMES[place] as (name: string) => string)(planter.plant(form, place, 'plain'))]: 'x',
})

/** Names of entries, and documents that are no records. */
export function plantNames(planter: Planter): Files {
  const files: Record<string, FileContent> = {}
  const forms = allForms.filter(isName)
  for (const place of Object.keys(NAMES)) {
    for (const form of forms) {
      if (!isKnown(form, place, 'plain')) Object.assign(files, named(planter, form, place))
    }
  }
  files['schema.json'] = {
    version: '1.2.0',
    note: linesOf(planter, allForms, 'schema.json', 'plain'),
  }
  files['urls.json'] = {
    user: `${HOST}/{user}?${linesOf(planter, allForms, 'urls.json', 'plain')}`,
  }
  return files
}

/** Headers of entries: owners, targets of links, and lines of PAX. */
export function plantHeaders(planter: Planter): Buffer {
  const next = createRotation(planter)
  const text = (place: string, longest = 100) =>
    next()
      .map((form) => planter.plant(form, place, 'plain'))
      .filter((planted) => Buffer.byteLength(planted) <= longest && !planted.includes('\n'))
  const parts: Buffer[] = [pax({ comment: text('a global line of PAX').join(' ') }, 'g')]
  const add = (header: HeaderFields) =>
    parts.push(member({ ...header, name: `attachments/${parts.length}/x.txt` }, 'x'))
  for (let turn = 0; turn < 16; turn++) {
    for (const uname of text('the owner of a file', 31)) add({ uname })
    for (const gname of text('the group of a file', 31)) add({ gname })
    for (const linkname of text('the target of a link')) add({ linkname })
    const [login = ''] = planter.people.flatMap(({ login = [] }) => login)
    add({ uname: login })
    parts.push(pax({ comment: text('a line of PAX').join(' ') }))
    add({ dialect: 'pax' })
    parts.push(pax({ uname: text('a line of PAX').join(' '), 'SCHILY.xattr.user': login }))
    add({ dialect: 'pax' })
  }
  return Buffer.concat([tarOf({ 'schema.json': '{"version":"1.2.0"}' }, { end: false }), ...parts])
}

/** Records of the people whose names and logins were planted: their members hold these, too. */
export const peopleOf = (planter: Planter): Files => ({
  'users_000009.json': planter.people.map(({ name = null, login }, i) => ({
    type: 'user',
    url: `${HOST}/${login ?? `kettle-${i}`}`,
    login: login ?? `kettle-${i}`,
    name,
    emails: [],
    company: null,
    location: null,
    website: null,
    created_at: '2020-01-01T00:00:00Z',
  })),
})
