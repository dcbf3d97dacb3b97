import { join } from 'node:path'
import { expect, test } from 'vitest'
import { END, member } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import {
  FOREIGN_SAMPLES,
  jsonFile,
  jsonIn,
  readSource,
  type SourceFiles,
} from '../support/foreign-samples.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const FORMS = Object.keys(FOREIGN_SAMPLES)
const filesOf = (form: string): SourceFiles => FOREIGN_SAMPLES[form]?.() ?? {}

/** Objects that stand in several places of a source, and are read from one: what others say beside is not looked for. */
const REPEATED: readonly RegExp[] = [
  // Accounts.
  /\.(?:actor|assignee|assigner|author|closed_by|creator|merged_by|owner|uploader|user)$/,
  /\.(?:assignees|requested_reviewers)\[\d+\]$/,
  // Labels and milestones: in the lists of the repository and in threads.
  /issues\/1\.json\.labels\[\d\]$|^repositories\/kettle\/milestones\/1\.json$/,
  /resource_label_events\[0\]\.label$|resource_milestone_events\[0\]\.milestone$/,
  /(?:^|[./])(?:labels|milestones)(?:\.ndjson)?\[0\]$/,
]

/** Objects of lists that are left out whole, with a count. */
const LEFT_OUT = /\.merge_request_diff_files\[0\]$/

/** Adds a member that no program knows, with a text that is nowhere else, to every object. */
function plant(value: unknown, at: string, planted: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each, i) => plant(each, `${at}[${i}]`, planted))
  if (typeof value !== 'object' || value === null) return value
  const number = planted.size
  planted.set(`planted-${number}-`, at)
  const inner = Object.entries(value).map(([name, each]) => [
    name,
    plant(each, at === '' ? name : `${at}.${name}`, planted),
  ])
  return { ...Object.fromEntries(inner), [`planted_${number}`]: `planted-${number}-` }
}

function withPlants(files: SourceFiles) {
  const planted = new Map<string, string>()
  const changed = Object.entries(files).map(([path, content]) => {
    const values = jsonIn(path, content)
    if (values.length === 0) return [path, content] as const
    const isLines = path.endsWith('.ndjson')
    const all = values.map((value, i) => plant(value, isLines ? `${path}[${i}]` : path, planted))
    return [path, jsonFile(path, all)] as const
  })
  return { files: Object.fromEntries(changed), planted }
}

everyDay(2)(FORMS)(
  '%s: a member that no program knows is kept wherever it stands, or counted',
  async (form) => {
    const { files, planted } = withPlants(filesOf(form))
    const { entries, problems } = await readSource(files)
    const all = Object.values(entries).join('\n')
    const lost = [...planted].flatMap(([text, at]) => (all.includes(text) ? [] : [at]))
    const others = lost.filter(
      (at) => !LEFT_OUT.test(at) && !REPEATED.some((pattern) => pattern.test(at)),
    )
    const counted = problems
      .filter(({ code, message }) => code === 'source-left-out' && /: members of /.test(message))
      .map(({ times = 1 }) => times)
    expect(others).toHaveLength(counted.reduce((sum, times) => sum + times, 0))
  },
)

test('Nothing is taken for repeated that does not stand in several places', THOROUGH, async () => {
  const places: string[] = []
  for (const form of FORMS) {
    const { files, planted } = withPlants(filesOf(form))
    const { entries } = await readSource(files)
    const all = Object.values(entries).join('\n')
    places.push(...[...planted].flatMap(([text, at]) => (all.includes(text) ? [] : [at])))
  }
  for (const pattern of [...REPEATED, LEFT_OUT]) {
    expect(
      places.some((at) => pattern.test(at)),
      String(pattern),
    ).toBe(true)
  }
})

/** Files of the backup programs' own state, which say nothing of the repository. */
const OF_THE_PROGRAM = [
  'repositories/kettle/issues/last_update',
  'repositories/kettle/pulls/2.json.temp',
]

everyDay(2)(FORMS)(
  '%s: a file that no program knows is kept in every folder, or counted',
  async (form) => {
    const files = filesOf(form)
    const folders = new Set(
      Object.keys(files).flatMap((path) =>
        path.split('/').map((_, i, parts) => parts.slice(0, i).join('/')),
      ),
    )
    const planted = [...folders].flatMap((folder) =>
      ['planted.txt', 'planted.json', 'Planted', '0123.ndjson', '9.json/planted.txt'].map((name) =>
        folder === '' ? name : `${folder}/${name}`,
      ),
    )
    const added = Object.fromEntries(planted.map((path) => [path, `{"planted": "in ${path}."}`]))
    const { entries, problems } = await readSource({ ...files, ...added })
    const all = Object.values(entries).join('\n')
    const lost = planted.filter((path) => !all.includes(`"in ${path}."`))
    const { problems: before } = await readSource(files)
    const count = (of: typeof problems) => of.reduce((sum, { times = 1 }) => sum + times, 0)
    expect(count(problems) - count(before), lost.join(', ')).toBeGreaterThanOrEqual(lost.length)
  },
)

test('Files of a backup program itself are no part of the backup', async () => {
  const added = Object.fromEntries(OF_THE_PROGRAM.map((path) => [path, 'planted']))
  const { entries, problems } = await readSource({ ...filesOf('python-github-backup'), ...added })
  expect(Object.values(entries).join('\n')).not.toContain('planted')
  expect(JSON.stringify(problems)).not.toContain('last_update')
})

everyDay(1)(FORMS.filter((form) => !form.startsWith('Bitbucket')))(
  '%s: files that are hard links in a tar, as programs that save space make them, are read',
  async (form) => {
    const files = Object.entries(filesOf(form))
    const copies = files.map(([, content], i) => member({ name: `of/${i}` }, content))
    const contentOf = async (members: readonly Buffer[]) => {
      const tar = Buffer.concat([...copies, ...members, END])
      return readSource(join(await folderOf({ 'it.tar': tar }), 'it.tar'))
    }
    const whole = files.map(([name, content]) => member({ name }, content))
    const linked = files.map(([name], i) => member({ name, linkname: `of/${i}`, type: '1' }))
    expect(await contentOf(linked)).toEqual(await contentOf(whole))
  },
)
