import { describe, expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { HAS_TERMINAL, openProgram } from '../../support/open-terminal.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { runProgram } from '../../support/run-program.ts'
import { serveMarc } from '../../support/serve-marc.ts'

/** How to start each shell with the script of `marc completion`, without the user's configuration. */
const STARTED = {
  bash: {
    program: 'bash --noprofile --rcfile .bashrc -i',
    files: { '.bashrc': 'eval "$(marc completion bash)"\n' },
  },
  zsh: {
    program: 'zsh -d -i',
    files: { '.zshrc': 'autoload -Uz compinit; compinit -u -D\neval "$(marc completion zsh)"\n' },
  },
  fish: {
    program: "fish --no-config --init-command 'marc completion fish | source'",
    files: {},
  },
}

const isInstalled = (shell: string) => runProgram(shell, ['--version']).status === 0

for (const [shell, { program, files }] of Object.entries(STARTED)) {
  describe.runIf(HAS_TERMINAL && isInstalled(shell))(`${shell} on a terminal`, () => {
    test('completes commands, tables, choices, values after = and files with spaces', async () => {
      const folder = inFolder({ ...files, 'a.tar.gz': smallArchive() })
      serveMarc()
      await run(['load', 'a.tar.gz', '-o', 'my a.db', '-q'])
      const window = openProgram(program, {
        ...{ HOME: folder, ZDOTDIR: folder, XDG_CONFIG_HOME: folder, INPUTRC: '/dev/null' },
        ...{ TERM: 'dumb', PATH: `${folder}/bin:${process.env.PATH}` },
      })
      window.type('marc sch\tmy\t thread\t --format=nd\t | head -n 1\n')
      expect(await window.until('"column":')).toContain('{"table":"threads"')
      window.type('marc load a.t\t --output=my\t\n')
      await window.until('my a.db is ready')
      window.type('exit\n')
      await window.ended
    })
  })
}

test('every shell with a script is tested', async () => {
  const { stdout } = await run(['__complete', 'bash', 'completion', ''])
  expect(stdout.trim().split('\n').sort()).toEqual(Object.keys(STARTED).sort())
})
