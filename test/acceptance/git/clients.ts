import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Shell, Way } from './ways.ts'

interface Client {
  readonly name: string
  /** Fails where the client is not installed. */
  readonly probe: readonly string[]
  readonly clone: (address: string, folder: string, shell: Shell) => readonly string[]
}

const PYTHON = '/usr/bin/python3'
const LIBGIT2 = 'import pygit2, sys; pygit2.clone_repository(sys.argv[1], sys.argv[2], bare=True)'
const ISOMORPHIC = join(import.meta.dirname, 'isomorphic.ts')

/** Debian has go-git for GOPATH alone; a module in it may name a version in its path. */
function buildGo(shell: Shell): string {
  const path = join(shell.folder, 'go')
  cpSync(join(import.meta.dirname, 'go-git'), join(path, 'src/clone'), { recursive: true })
  writeFileSync(join(path, 'src/clone/go.mod'), 'module clone\n')
  const env = {
    ...shell.env,
    GO111MODULE: 'off',
    GOPATH: `${path}:/usr/share/gocode`,
    GOCACHE: join(shell.folder, 'go-cache'),
  }
  execFileSync('go', ['build', '-o', join(path, 'clone'), '.'], {
    cwd: join(path, 'src/clone'),
    env,
    stdio: 'ignore',
  })
  return join(path, 'clone')
}

/** Other programs and libraries that clone as Git does. */
const CLIENTS: readonly Client[] = [
  {
    name: 'dulwich',
    probe: ['dulwich', 'help'],
    clone: (address, folder) => ['dulwich', 'clone', '--bare', address, folder],
  },
  {
    name: 'libgit2',
    probe: [PYTHON, '-c', 'import pygit2'],
    clone: (address, folder) => [PYTHON, '-c', LIBGIT2, address, folder],
  },
  {
    name: 'go-git',
    probe: ['test', '-d', '/usr/share/gocode/src/github.com/go-git/go-git'],
    clone: (address, folder, shell) => [buildGo(shell), address, folder],
  },
  {
    name: 'isomorphic-git',
    probe: [process.execPath, '--version'],
    clone: (address, folder) => [process.execPath, ISOMORPHIC, address, folder],
  },
]

/** Lets each client clone a repository, and Git look at the result. Yields a line about each. */
export async function* cloneWithOthers(
  shell: Shell,
  way: Way,
  repository: string,
  commits: number,
): AsyncGenerator<{ name: string; said: string; isFault: boolean }> {
  for (const { name, probe, clone } of CLIENTS) {
    const [tested = '', ...options] = probe
    const { status } = spawnSync(tested, options, { env: shell.env })
    if (status !== 0) {
      yield { name, said: 'skipped, it is not installed', isFault: false }
      continue
    }
    const folder = shell.folderOf('other')
    const [program = '', ...args] = clone(way.addressOf(repository), folder, shell)
    const { code, output, cpu } = await shell.run(program, args)
    const checked = await shell.run('git', ['-C', folder, 'fsck', '--full'])
    const counted = await shell.run('git', ['-C', folder, 'rev-list', '--count', 'HEAD'])
    const isWhole = code === 0 && checked.code === 0 && Number(counted.output) === commits
    const said = isWhole
      ? `${commits} commits, fsck is content, ${(cpu / 1000).toFixed(2)} s`
      : `exit ${code}, ${counted.output.trim()} commits: ${output.slice(-500)}${checked.output.slice(-500)}`
    yield { name, said, isFault: !isWhole }
  }
}
