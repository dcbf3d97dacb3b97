// node samples/build-archive.ts: a made-up forge writes an archive, without a database.
import fs, { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import git from 'isomorphic-git'
import { exportArchive, inspectArchive } from '../src/index.ts' // 'migration-archive' once it is installed

const ada = 'https://forge.example/ada'
const kettle = `${ada}/kettle`
const steam = { url: `${kettle}/labels/steam`, name: 'steam', color: 'ccccff' }
const log = { path: 'attachments/5d1c/log.txt', content: Buffer.from('It boils.\n') }
const created_at = '2024-05-06T07:08:09Z'

const flags = { private: false, has_issues: true, has_wiki: false, has_downloads: true }
const lists = {
  labels: [{ ...steam, created_at }],
  collaborators: [],
  webhooks: [],
  public_keys: [],
}
const repository = {
  url: kettle,
  owner: ada,
  name: 'kettle',
  description: 'Boils water',
  ...flags,
  ...lists,
  default_branch: 'main',
  git_url: 'tarball://root/repositories/ada/kettle.git',
  created_at,
}

// Records are asked for as fast as they are written: rows of a database would do as well.
async function* issues() {
  const unset = { body: null, assignee: null, milestone: null, closed_at: null }
  for (let n = 1; n <= 250; n++) {
    const issue = { repository: kettle, user: ada, title: `It boils, ${n}`, labels: [steam.url] }
    yield { url: `${kettle}/issues/${n}`, ...issue, ...unset, created_at }
  }
}

async function* comments() {
  for await (const { url: issue, user } of issues()) {
    const body = `See ${kettle}/files/5d1c.`
    yield { url: `${issue}#issuecomment-1`, issue, user, body, formatter: 'markdown', created_at }
  }
}

const attachment = {
  url: `${kettle}/files/5d1c`,
  issue_comment: `${kettle}/issues/1#issuecomment-1`,
  user: ada,
  asset_name: 'log.txt',
  asset_content_type: 'text/plain',
  created_at,
  asset_url: `tarball://root/${log.path}`,
}

const folder = mkdtempSync(join(tmpdir(), 'forge-'))
try {
  // Any file system that isomorphic-git takes will do, such as one in memory.
  const gitdir = join(folder, 'kettle.git')
  await git.init({ fs, gitdir, bare: true, defaultBranch: 'main' })
  const blob = Buffer.from('# Kettle\n')
  const oid = await git.writeBlob({ fs, gitdir, blob })
  const readme = { mode: '100644', path: 'README.md', oid, type: 'blob' as const }
  const tree = await git.writeTree({ fs, gitdir, tree: [readme] })
  const author = { name: 'Ada', email: 'ada@forge.example', timestamp: 0, timezoneOffset: 0 }
  await git.commit({ fs, gitdir, message: 'Boil', tree, author })

  const archive = exportArchive({
    records: {
      users: [{ url: ada, login: 'ada', name: 'Ada', emails: [], created_at }],
      repositories: [repository],
      issues: issues(),
      issue_comments: comments(),
      attachments: [attachment],
    },
    files: [log],
    repositories: [{ fullName: 'ada/kettle', fs, gitdir }],
  })
  await pipeline(archive, createWriteStream(join(folder, 'forge.tar.gz')))

  const { kinds, files, problems } = await inspectArchive(join(folder, 'forge.tar.gz'))
  for (const [kind, { records, files }] of Object.entries(kinds)) console.log(kind, records, files)
  console.log(files.attachment?.count, files.git?.count, problems)
} finally {
  rmSync(folder, { recursive: true })
}
