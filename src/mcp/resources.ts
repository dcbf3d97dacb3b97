import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { percentDecoded } from '../base/text.ts'
import type { Library, Repository } from '../reading/library.ts'
import { foldCase } from '../reading/names.ts'
import { KINDS } from './tools/threads.ts'
import { shortName, visible } from './writing.ts'

/** What a tool answers, as JSON; undefined if it refuses. */
export type AskTool = (name: string, options: object) => Promise<unknown>

type Variables = Readonly<Record<string, string>>

/** A kind of addresses, and the call of a tool that answers each of them. */
interface Template {
  readonly title: string
  readonly description: string
  readonly uri: string
  call(variables: Variables): readonly [tool: string, options: object]
}

const repositoryOf = ({ owner, name }: Variables): string => `${owner}/${name}`

/** Of two that fit an address the first one answers. */
const TEMPLATES: Readonly<Record<string, Template>> = {
  file: {
    title: 'A file',
    description: 'A file of a repository on its default branch',
    uri: 'marc://{owner}/{name}/files/{+path}',
    call: ({ path, ...named }) => ['read_file', { repository: repositoryOf(named), path }],
  },
  label: {
    title: 'A label',
    description: 'The issues of a repository that have a label',
    uri: 'marc://{owner}/{name}/labels/{label}',
    call: ({ label, ...named }) => [
      'list_threads',
      { repository: repositoryOf(named), labels: [label] },
    ],
  },
  thread: {
    title: 'A thread',
    description: 'An issue, pull request or discussion with its timeline',
    uri: 'marc://{owner}/{name}/{kind}/{number}',
    call: ({ kind, number, ...named }) => [
      'get_thread',
      { repository: repositoryOf(named), kind, number: Number(number) },
    ],
  },
  repository: {
    title: 'A repository',
    description: 'The newest issues of a repository',
    uri: 'marc://{owner}/{name}',
    call: (named) => ['list_threads', { repository: repositoryOf(named) }],
  },
}

/** Repositories and completions that a client gets at once. */
const MOST = 100

/** Offers what the tools read under addresses as well. */
export function registerResources(
  server: McpServer,
  library: () => Promise<Library>,
  ask: AskTool,
): void {
  for (const [name, { uri, title, description, call }] of Object.entries(TEMPLATES)) {
    const list = name === 'repository' ? async () => listed(await library()) : undefined
    const template = new ResourceTemplate(uri, { list, complete: completions(library) })
    const config = { title, description, mimeType: 'application/json' }
    server.registerResource(name, template, config, async (address, variables) => {
      const decoded = Object.fromEntries(
        Object.entries(variables).map(([key, value]) => [key, percentDecoded(String(value))]),
      )
      const answer = await ask(...call(decoded))
      if (answer === undefined) throw new ResourceNotFoundError(address.href)
      const text = JSON.stringify(answer)
      return { contents: [{ uri: address.href, mimeType: 'application/json', text }] }
    })
  }
}

const listed = (library: Library) => ({
  resources: library
    .repositories()
    .slice(0, MOST)
    .map(({ owner, name, fullName }) => ({
      uri: `marc://${encodeURIComponent(owner)}/${encodeURIComponent(name)}`,
      name: visible(shortName(fullName)) as string,
      mimeType: 'application/json',
    })),
})

type Complete = (
  value: string,
  context?: { arguments?: Record<string, string> },
) => string[] | Promise<string[]>

/** Completes the variables of addresses. */
function completions(library: () => Promise<Library>): Record<string, Complete> {
  const matching = (values: Iterable<string>, begin: string) =>
    [...new Set(values)]
      .filter((value) => foldCase(value).startsWith(foldCase(begin)))
      .slice(0, MOST)
      .map((value) => visible(shortName(value)) as string)
  const owned =
    (owner: string | undefined) =>
    ({ owner: one }: Repository) =>
      owner === undefined || foldCase(one) === foldCase(owner)
  return {
    owner: async (begin) => {
      const repositories = (await library()).repositories()
      return matching(
        repositories.map(({ owner }) => owner),
        begin,
      )
    },
    name: async (begin, context) => {
      const repositories = (await library()).repositories()
      return matching(
        repositories.filter(owned(context?.arguments?.owner)).map(({ name }) => name),
        begin,
      )
    },
    kind: (begin) => matching(KINDS, begin),
    label: async (begin, context) => {
      const { owner, name } = context?.arguments ?? {}
      const { listLabels } = await import('../reading/labels.ts')
      const repository = (await library()).repository(`${owner}/${name}`)
      const labels = repository ? listLabels(repository) : []
      return matching(
        labels.map((label) => label.name),
        begin,
      )
    },
  }
}
