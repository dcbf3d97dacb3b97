import { expect, test } from 'vitest'
import { FOREIGN_SAMPLES, jsonIn, readSource } from '../support/foreign-samples.ts'

type JsonObject = { [name: string]: unknown }

/** A sample in which the first value of a file has other members, and what its archive and its problems say. */
async function readChanged(form: string, path: string, members: JsonObject, as = path) {
  const { [path]: content = '', ...others } = FOREIGN_SAMPLES[form]?.() ?? {}
  const value = jsonIn(path, content)[0] as JsonObject
  return readSource({ ...others, [as]: `${JSON.stringify({ ...value, ...members })}\n` })
}

const KETTLE = 'repositories/kettle'

test.each([
  ['number', 'an issue', 'issues/1.json', { number: 9 }],
  ['number', 'a pull request', 'pulls/2.json', { number: 9 }],
  ['number', 'a discussion', 'discussions/3.json', { number: 9 }],
  ['number', 'a milestone', 'milestones/1.json', { number: 9 }],
  ['state', 'an issue', 'issues/1.json', { state: 'open' }],
  ['merged', 'a pull request', 'pulls/2.json', { merged: false }],
])(
  'source-left-out: a %s of %s that another place tells otherwise',
  async (name, _, path, other) => {
    const entry = `${KETTLE}/${path}`
    const told = `${name} ${Object.values(other)[0]}`
    const { problems } = await readChanged('python-github-backup', entry, other)
    const found = problems.filter(({ message }) => message.includes(`${name} is not what`))
    expect(found).toMatchObject([{ code: 'source-left-out', place: { entry } }])
    expect(found[0]?.message).toMatch(new RegExp(`, which was used: ${entry} \\(${told}\\)$`))
  },
)

test('The number of a thread is that in the name of its file', async () => {
  const from = `${KETTLE}/issues/1.json`
  const { entries, problems } = await readChanged(
    'python-github-backup',
    from,
    {},
    `${KETTLE}/issues/9.json`,
  )
  expect(JSON.parse(entries['issues_000001.json'] ?? '')).toMatchObject([
    { url: 'https://github.com/harbour/kettle/issues/9' },
  ])
  expect(problems).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('issues/9.json (number 1)') }),
  )
})

test('An assignee who is not among the assignees is one of them', async () => {
  const assignee = { login: 'zoe', type: 'User' }
  const path = `${KETTLE}/issues/1.json`
  const { entries } = await readChanged('python-github-backup', path, { assignee })
  const [issue] = JSON.parse(entries['issues_000001.json'] ?? '')
  expect(issue.assignees).toEqual(
    ['zoe', 'ben', 'ada'].map((login) => `https://github.com/${login}`),
  )
})

test.each([
  ['issues', { state: 'opened', closed_at: '2024-05-05T05:05:05.000Z' }],
  ['merge_requests', { merge_commit_sha: 'no commit' }],
])('What %s of GitLab say that does not fit their state or form is kept', async (list, members) => {
  const { entries } = await readChanged('GitLab 17', `tree/project/${list}.ndjson`, members)
  const all = Object.values(entries).join('\n')
  expect(all).toContain(String(Object.values(members).at(-1)))
})
