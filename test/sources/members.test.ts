import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  FOREIGN_SAMPLES,
  jsonFile,
  jsonIn,
  readSource,
  type SourceFiles,
} from '../support/foreign-samples.ts'
import { THOROUGH } from '../support/thorough.ts'

type JsonObject = { [name: string]: unknown }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What holds the members of a file: the name of the thing, or of the list that the file is. */
const HOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^issues\/\d+\.json$/, 'wrapped-issue'],
  [/^pulls\/\d+\.json$/, 'wrapped-pull'],
  [/\/issues\/\d+\.json$/, 'issue'],
  [/\/pulls\/\d+\.json$/, 'pull'],
  [/^.*\/milestones\/\d+\.json$/, 'milestone'],
  [/^.*\/discussions\/\d+\.json$/, 'discussion'],
  [/^.*\/releases\/[^/]+\.json$/, 'release'],
  [/^.*\/security-advisories\/[^/]+\.json$/, 'advisory'],
  [/^.*\/labels\.json$/, 'labels'],
  [/^.*\/hooks\.json$/, 'hooks'],
  [/^.*\/manifest\.json$/, 'manifest'],
  [/^state\.json$/, 'state'],
  [/^db-.*\.json$/, 'db'],
  [/^tree\/project\.json$/, 'project'],
  [/^tree\/project\/(.+)\.ndjson$/, '$1'],
]

/** Things with the same members wherever they stand, by the end of their place. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?!discussion|db).*\.(?:actor|assignee|assigner|closed_by|creator|merged_by|owner|uploader|user)$/,
    'person',
  ],
  [/^(?!.*(?:issue|merge_request)_assignees).*\.(?:assignees|requested_reviewers)\[\]$/, 'person'],
  [/^release\.author$/, 'person'],
  [/^(?:issue|pull)\.labels\[\]$|^labels\[\]$/, 'label'],
  [/^(?:issue|pull)\.milestone$/, 'milestone'],
  [/^wrapped-issue\.issue$/, 'issue'],
  [/^wrapped-pull\.pull$/, 'pull'],
  [/^pull\.base\.repo$/, 'repository'],
  [/\.reactions$/, 'reactions'],
  [/^db\..*\.(?:assignee|reporter|user)$|^db\..*\.(?:voters|watchers)\[\]$/, 'account'],
  [/(?:_links|_events)\[\]\.label$/, 'labels'],
  [/^(?:issues|merge_requests|resource_milestone_events)\b.*\.milestone$/, 'milestones'],
]

function holderOf(path: string): string | undefined {
  for (const [pattern, holder] of HOLDERS) {
    const found = pattern.exec(path)
    if (found) return holder.replace('$1', String(found[1]))
  }
  return undefined
}

/** Calls with each object of a value, and its place. Lists have one place for all elements. */
function visit(value: unknown, at: string, call: (object: JsonObject, at: string) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, `${at}[]`, call)
    return
  }
  if (!isObject(value)) return
  const place = SHAPES.find(([pattern]) => pattern.test(at))?.[1] ?? at
  call(value, place)
  for (const [name, inner] of Object.entries(value)) visit(inner, `${place}.${name}`, call)
}

const namesIn = (files: SourceFiles): Set<string> => {
  const names = new Set<string>()
  for (const [path, content] of Object.entries(files)) {
    const holder = holderOf(path)
    if (holder === undefined) continue
    for (const value of jsonIn(path, content)) {
      visit(value, holder, (object, at) => {
        for (const name of Object.keys(object)) names.add(`${at}.${name}`)
      })
    }
  }
  return names
}

/** The members in a listing, with the types of their values and what becomes of them. */
function listing(name: string) {
  const text = readFileSync(new URL(`./members/${name}.txt`, import.meta.url), 'utf8')
  return text.split('\n').flatMap((line) => {
    const [, place, types, fate] = /^(\S+) (\S+) (\S+)$/.exec(line) ?? []
    if (place === undefined && line !== '' && !line.startsWith('#')) throw new Error(line)
    return place === undefined ? [] : [{ place, types: String(types), fate: String(fate) }]
  })
}

const LISTINGS = {
  'python-github-backup': 'github',
  'github-metadata-backup': 'github-metadata',
  'Bitbucket 1.0': 'bitbucket',
  'Bitbucket 2.0': 'bitbucket',
  'GitLab 13': 'gitlab',
  'GitLab 17': 'gitlab',
} as const

/** The form of each listing whose sample has the most. */
const WHOLE = {
  github: 'python-github-backup',
  'github-metadata': 'github-metadata-backup',
  bitbucket: 'Bitbucket 2.0',
  gitlab: 'GitLab 13',
} as const

const FORMS = Object.keys(LISTINGS) as (keyof typeof LISTINGS)[]

test.each(FORMS)('%s: each member of the sample is in the listing', THOROUGH, (form) => {
  const listed = new Set(listing(LISTINGS[form]).map(({ place }) => place))
  const missing = [...namesIn(FOREIGN_SAMPLES[form]?.() ?? {})].filter((name) => !listed.has(name))
  expect(missing).toEqual([])
})

/** The sample with each member of the listing: what it lacks is added to the objects that hold it. */
function wholeSample(form: keyof typeof LISTINGS): SourceFiles {
  const members = listing(LISTINGS[form])
  const places = members.map(({ place }) => place)
  const hasInner = (place: string) => places.some((each) => each.startsWith(`${place}.`))
  const makeValue = (place: string, name: string, types: string): unknown => {
    const type = types.split('|').find((each) => each !== 'null') ?? 'text'
    if (type === 'integer') return 7
    if (type === 'boolean') return true
    if (type === 'object') return hasInner(place) ? {} : { of: place }
    if (type === 'list') return [hasInner(`${place}[]`) ? {} : { of: place }]
    return /_(?:at|on)$/.test(name) ? '2025-01-05T10:00:00Z' : `text of ${name}`
  }
  const files = { ...FOREIGN_SAMPLES[form]?.() }
  if (LISTINGS[form] === 'gitlab') {
    for (const place of places) files[`tree/project/${place.replace(/\..*/, '')}.ndjson`] ??= '{}\n'
    delete files['tree/project/project.ndjson']
  }
  return changed(files, (object, at) => {
    for (const [name, value] of Object.entries(object)) {
      if (Array.isArray(value) && value.length === 0 && hasInner(`${at}.${name}[]`)) value.push({})
    }
    for (const { place, types } of members) {
      const name = place.slice(at.length + 1)
      if (place !== `${at}.${name}` || /[.[]/.test(name) || Object.hasOwn(object, name)) continue
      object[name] = makeValue(place, name, types)
    }
  })
}

function changed(files: SourceFiles, change: (object: JsonObject, at: string) => void) {
  const all = Object.entries(files).flatMap(([path, content]) => {
    const holder = holderOf(path)
    // Reading Git data takes long, and no member depends on them.
    if (path.endsWith('.bundle')) return []
    if (holder === undefined) return [[path, content] as const]
    const values = jsonIn(path, content)
    for (const value of values) visit(value, holder, change)
    return [[path, jsonFile(path, values)] as const]
  })
  return Object.fromEntries(all)
}

/** The values of all records, by kind, url and place. */
async function read(files: SourceFiles) {
  const { entries } = await readSource(files)
  const values = new Map<string, unknown>()
  const flatten = (value: unknown, at: string): void => {
    if (Array.isArray(value)) for (const [i, each] of value.entries()) flatten(each, `${at}[${i}]`)
    else if (isObject(value)) {
      for (const [name, each] of Object.entries(value)) flatten(each, `${at}\n${name}`)
    }
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
      values.set(at, JSON.stringify(value))
    }
  }
  for (const [path, text] of Object.entries(entries)) {
    values.set(path, '')
    const [, kind] = /^([a-z]\w*)_\d{6}\.json$/.exec(path) ?? []
    if (kind === undefined) continue
    for (const record of JSON.parse(text) as JsonObject[]) flatten(record, `${kind}\n${record.url}`)
  }
  return { values }
}

/** The files with another value of some members. */
const replaced = (files: SourceFiles, makeValue: (place: string) => unknown): SourceFiles =>
  changed(files, (object, at) => {
    for (const name of Object.keys(object)) {
      const value = makeValue(`${at}.${name}`)
      if (value !== undefined) object[name] = value
    }
  })

describe.each(Object.entries(WHOLE))('%s', (name, form) => {
  const members = listing(name)
  const placesOf = (fate: string) =>
    members.flatMap((member) => (member.fate === fate ? [member.place] : []))

  test('What is kept is in the archive, with any value', THOROUGH, async () => {
    const files = wholeSample(form)
    const kept = placesOf('kept')
    const texts = new Map(
      kept
        .filter(
          (place) =>
            !kept.some((inner) => inner.startsWith(`${place}.`) || inner.startsWith(`${place}[`)),
        )
        .map((place, i) => [place, `kept ${i}.`]),
    )
    const { values } = await read(replaced(files, (place) => texts.get(place)))
    const all = JSON.stringify([...values.values()])
    expect([...texts].flatMap(([place, text]) => (all.includes(text) ? [] : [place]))).toEqual([])
  })
})
