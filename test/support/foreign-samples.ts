import { bitbucketIssues } from '../../samples/make/bitbucket-issues.ts'
import { backupFiles, metadataFiles, UPLOADED, WHOLE } from '../../samples/make/github-backup.ts'
import { gitlabProject } from '../../samples/make/gitlab-project.ts'
import { collect } from '../../src/base/streams.ts'
import type { Problem, SourceOptions } from '../../src/index.ts'
import { openSource } from '../../src/sources/open-source.ts'
import { folderOf } from './folder.ts'

/** Files of a source by their paths. */
export type SourceFiles = { [path: string]: string | Uint8Array }

/** A project export of the years in which one file held all lists. */
function projectInOneFile(): SourceFiles {
  const project: Record<string, unknown> = {}
  const files: SourceFiles = {}
  for (const [path, content] of Object.entries(gitlabProject('13'))) {
    const list = /^tree\/project\/(.+)\.ndjson$/.exec(path)?.[1]
    const values = () => jsonIn(path, content)
    if (path === 'tree/project.json') Object.assign(project, values()[0])
    else if (list === undefined) files[path] = content
    else project[list] = values()
  }
  return { ...files, VERSION: '0.2.4', 'project.json': JSON.stringify(project) }
}

/** THE TABLE of forms with a sample of each. */
export const FOREIGN_SAMPLES: { readonly [name: string]: () => SourceFiles } = {
  'python-github-backup': () => ({ ...backupFiles(WHOLE), ...UPLOADED }),
  'github-metadata-backup': metadataFiles,
  'Bitbucket 1.0': () => bitbucketIssues('1.0'),
  'Bitbucket 2.0': () => bitbucketIssues('2.0'),
  'GitLab 13': () => gitlabProject('13'),
  'GitLab 17': () => gitlabProject('17'),
  'GitLab in one file': projectInOneFile,
}

/** The values of JSON in a file: one, or one in each line. */
export function jsonIn(path: string, content: string | Uint8Array): unknown[] {
  const text = Buffer.from(content).toString()
  if (path.endsWith('.json')) return [JSON.parse(text)]
  if (!path.endsWith('.ndjson')) return []
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

/** A file with these values of JSON. */
export const jsonFile = (path: string, values: readonly unknown[]): string =>
  path.endsWith('.ndjson')
    ? values.map((value) => `${JSON.stringify(value)}\n`).join('')
    : JSON.stringify(values[0], null, 4)

/** The entries of the archive that a source becomes, as texts, and its problems. It is a path, or files. */
export async function readSource(source: SourceFiles | string, options?: SourceOptions) {
  const problems: Problem[] = []
  const entries: Record<string, string> = {}
  const report = (problem: Problem) => problems.push(problem)
  const path = typeof source === 'string' ? source : await folderOf(source)
  const opened = await openSource(path, { report }, options)
  for await (const { path, content } of opened.entries) {
    entries[path] = (await collect(content)).toString('latin1')
  }
  return { entries, problems }
}
