/**
 * Lets clients in other languages talk to the server, each through its whole dialogue. It installs nothing: a client that
 * is not there is skipped by name.
 */

import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Of } from '../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../src/http/access/accounts-file.ts'
import { hashPassword } from '../../src/http/access/password-hash.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { serveArchive } from '../../src/serve/serve-archive.ts'
import { replay } from './replay/run-replay.ts'

const HERE = import.meta.dirname
const TOKEN = 'acceptance-0123456789abcdef'
const PASSWORD = 'acceptance password'

interface Client {
  name: string
  /** Prints the version; fails where the client is not installed. */
  probe: readonly string[]
  run: readonly string[]
  env?: (base: string) => Record<string, string>
  isSecure?: true
}

const folder = mkdtempSync(join(tmpdir(), 'marc-acceptance-'))
const GO = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'go') }

const CLIENTS: readonly Client[] = [
  {
    name: 'PyGithub',
    probe: ['/usr/bin/python3', '-c', 'import github; print("installed", github.__name__)'],
    run: ['/usr/bin/python3', join(HERE, 'pygithub.py')],
  },
  {
    name: 'octokit.rb',
    probe: ['ruby', '-e', 'require "octokit"; puts Octokit::VERSION'],
    run: ['ruby', join(HERE, 'octokit.rb')],
  },
  {
    name: 'go-github',
    probe: ['go', 'list', 'github.com/google/go-github/github'],
    run: ['go', 'run', join(HERE, 'go-github/main.go')],
    env: () => GO,
  },
  {
    name: 'Pithub and Net::GitHub',
    probe: ['perl', '-MPithub', '-MNet::GitHub', '-e', '1'],
    run: ['perl', join(HERE, 'pithub.pl')],
  },
  {
    name: 'gh',
    probe: ['gh', '--version'],
    run: ['sh', join(HERE, 'gh.sh')],
    env: () => ({ GH_ENTERPRISE_TOKEN: TOKEN, SSL_CERT_FILE: join(folder, 'cert.pem') }),
    isSecure: true,
  },
  {
    name: 'hub',
    probe: ['hub', '--version'],
    run: ['sh', join(HERE, 'hub.sh')],
    env(base) {
      const host = new URL(base).host
      const config = `${host}:\n- user: mona-lindqvist\n  oauth_token: ${TOKEN}\n  protocol: http\n`
      mkdirSync(join(folder, 'config'), { recursive: true })
      writeFileSync(join(folder, 'config/hub'), config)
      return { GITHUB_HOST: host, HUB_CONFIG: join(folder, 'config/hub') }
    },
  },
]

const accounts: AccountsFile = {
  version: 1,
  accounts: [
    {
      login: 'mona-lindqvist',
      password: await hashPassword(PASSWORD),
      two_factor: { delivery: 'app', code: '123456' },
    },
  ],
  tokens: [{ login: 'mona-lindqvist', sha256: sha256Of(TOKEN), scopes: ['repo'] }],
}

const isInstalled = ({ probe: [program = '', ...rest], env }: Client) => {
  try {
    const given = env?.('http://localhost') ?? {}
    execFileSync(program, rest, { stdio: 'ignore', env: { ...process.env, ...given } })
    return true
  } catch {
    return false
  }
}

function run({ run: [program = '', ...rest], env }: Client, base: string) {
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...process.env, HOME: folder, BASE: base, TOKEN, PASSWORD, ...env?.(base) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let messages = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  child.stderr.on('data', (piece) => {
    messages += piece
  })
  return new Promise<{ code: number | null; output: string; messages: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output: output.trim(), messages }))
  })
}

function makeCertificate() {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const form = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '1', '-nodes']
  const files = ['-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', ...form, ...names, ...files], { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

const HELLO = join(HERE, '../../samples/hello.tar.gz')
const database = join(folder, 'hello.db')
await loadArchive(HELLO, database)
let failures = 0
for (const client of CLIENTS) {
  if (!isInstalled(client)) {
    process.stdout.write(`${client.name}: skipped, it is not installed\n`)
    continue
  }
  const server = await serveArchive([database], {
    port: 0,
    pace: 0,
    state: join(folder, `${client.name}.serve`),
    accounts,
    now: new Date('2026-01-09T00:00:00Z'),
    ...(client.isSecure && { tls: makeCertificate() }),
  })
  const base = (server.url ?? '').replace('127.0.0.1', client.isSecure ? 'localhost' : '127.0.0.1')
  const start = performance.now()
  const { code, output, messages } = await run(client, base)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (code !== 0) failures++
  process.stdout.write(
    code === 0
      ? `${client.name}: ${output} expectations hold, ${seconds} s\n`
      : `${client.name}: FAILED\n${messages}`,
  )
  await server.close()
}
if (CLIENTS.some((client) => client.name === 'go-github' && isInstalled(client))) {
  const { facts, calls, lost, surplus } = await replay(HELLO, 'mona-lindqvist/tea-timer')
  const isWhole = lost.length + surplus.length === 0
  if (!isWhole) failures++
  const what = isWhole ? 'arrived, each once' : `FAILED: lost ${lost}, surplus ${surplus}`
  process.stdout.write(`importer: ${facts} facts of an archive ${what}, ${calls} calls\n`)
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = failures > 0 ? 1 : 0
