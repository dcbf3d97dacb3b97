/** Servers that take imports, and how clients ask them. */

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AccountsFile } from '../../src/http/access/accounts-file.ts'
import type { ServeOptions } from '../../src/rest/serve-options.ts'
import { type ArchiveServer, serveArchive } from '../../src/serve/serve-archive.ts'
import { folderOf } from './folder.ts'
import { accountsOf, as } from './serve-world.ts'

const ORIGIN = 'http://localhost:8730'
/** The number of the organization `target`, as its accounts file has it. */
export const TARGET = 4242

/** `ada` and `eve` own the organization `target`, `bob` is a member, `mal` owns another one. */
export const IMPORTERS: AccountsFile = accountsOf(
  { ada: ['repo', 'admin:org'], eve: ['admin:org'], bob: ['repo'], mal: ['repo'], may: ['user'] },
  [
    {
      login: 'target',
      id: TARGET,
      members: [
        { login: 'ada', role: 'admin' },
        { login: 'eve', role: 'admin' },
        { login: 'may', role: 'admin' },
        { login: 'bob', role: 'member' },
      ],
    },
    { login: 'other', id: 4343, members: [{ login: 'mal', role: 'admin' }] },
  ],
)

/** A server that takes imports, and a folder for its state, with which it can be opened again. */
export async function serveImports(
  databases: readonly string[] = [],
  options: ServeOptions = {},
): Promise<ArchiveServer & { folder: string }> {
  const folder = options.state ?? join(await folderOf(), 'it.serve')
  const server = await serveArchive(databases, {
    imports: true,
    accounts: IMPORTERS,
    pace: 0,
    ...options,
    state: folder,
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= server.close()
    return closing
  }
  onTestFinished(close)
  return { ...server, close, folder }
}

/** An answer, with its body parsed if it is JSON. */
export interface Answered {
  status: number
  location: string
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it
  body: any
}

interface Sent {
  by?: string | undefined
  body?: string | Uint8Array | undefined
  headers?: Record<string, string> | undefined
}

/** Sends a request without a socket. */
export async function send(
  server: Pick<ArchiveServer, 'fetch'>,
  method: string,
  path: string,
  { by = 'ada', body, headers = {} }: Sent = {},
): Promise<Answered> {
  const url = path.startsWith('/') ? ORIGIN + path : path
  const request = new Request(url, {
    method,
    headers: { ...(by && as(by)), ...headers },
    ...(body !== undefined && { body: body as BodyInit }),
  })
  const answer = await server.fetch(request)
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  const location = answer.headers.get('location') ?? ''
  return { status: answer.status, location, body: isJson ? JSON.parse(text) : text }
}

export const WHOLE = `/organizations/${TARGET}/gei/archive`
export const PARTS = `${WHOLE}/blobs/uploads`

/** Uploads a whole archive, and gives its address. */
export async function uploadWhole(
  server: Pick<ArchiveServer, 'fetch'>,
  body: Uint8Array,
  sent: Sent = {},
): Promise<string> {
  const { status, body: answer } = await send(server, 'POST', `${WHOLE}?name=archive.tar.gz`, {
    ...sent,
    body,
  })
  if (status !== 201) throw new Error(JSON.stringify(answer))
  return answer.uri
}
