import { expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { describeOnTerminal, openProgram } from '../../support/open-terminal.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { serveMarc } from '../../support/serve-marc.ts'
import { THOROUGH } from '../../support/thorough.ts'

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

for (const [shell, { program, files }] of Object.entries(STARTED)) {
  const tests = () => {
    test(
      'completes commands, tables, choices, values after = and files with spaces',
      THOROUGH,
      async () => {
        const folder = inFolder({ ...files, 'a.tar.gz': smallArchive() })
        serveMarc()
        await run(['load', 'a.tar.gz', '-o', 'my a.db', '-q'])
        const window = openProgram(program, {
          HOME: folder,
          ZDOTDIR: folder,
          XDG_CONFIG_HOME: folder,
          INPUTRC: '/dev/null',
          TERM: 'dumb',
          PATH: `${folder}/bin:${process.env.PATH}`,
        })
        window.type('marc sch\tmy\t timel\t --format=nd\t | head -n 1\n')
        expect(await window.until('"column":')).toContain('{"table":"timeline"')
        window.type('marc load a.t\t --output=my\t\n')
        await window.until('my a.db is ready')
        window.type('exit\n')
        await window.ended
      },
    )
  }
  describeOnTerminal(`${shell} on a terminal`, tests, [shell])
}

test('every shell with a script is tested', async () => {
  const { stdout } = await run(['__complete', 'bash', 'completion', ''])
  expect(stdout.trim().split('\n').sort()).toEqual(Object.keys(STARTED).sort())
})
