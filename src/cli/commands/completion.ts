import { closestMatch } from '../../closest-match.ts'
import { defineCommand } from '../command/command.ts'
import { UsageError } from '../command/usage-error.ts'
import { isShellName, SHELLS, type ShellName } from '../complete/shells.ts'
import { ownText } from '../output/safe-text.ts'
import { writeAll } from '../output/write-all.ts'

const NAMES = Object.keys(SHELLS) as ShellName[]

export const completion = defineCommand({
  usage: '<shell>',
  summary: 'Print a shell completion script',
  options: {
    shell: { choices: NAMES, demandOption: true, describe: `One of ${NAMES.join(', ')}` },
  },
  examples: [
    ['marc completion bash', 'for ~/.bashrc: eval "$(marc completion bash)"'],
    ['marc completion zsh', 'for a file _marc in a folder of fpath'],
    ['marc completion fish', 'for ~/.config/fish/completions/marc.fish'],
  ],
  async run({ shell }, { stdout }) {
    const name: string = shell
    if (!isShellName(name)) {
      const meant = closestMatch(name, NAMES)
      throw new UsageError(
        `expected one of ${NAMES.join(', ')}, found ${JSON.stringify(name)}`,
        meant && `Did you mean marc completion ${meant}?`,
      )
    }
    await writeAll(stdout, [ownText(SHELLS[name])])
    return 0
  },
})
