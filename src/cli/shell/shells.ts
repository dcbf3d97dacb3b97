/**
 * The script that each shell runs when Tab is pressed. It calls `marc __complete <shell> <words>`, which prints a candidate
 * and its description per line, or `:files`.
 */
export const SHELLS = {
  bash: `_marc() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("$line")
    fi
  done < <(marc __complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _marc marc
`,
  zsh: `#compdef marc
_marc() {
  local line name
  local -a found
  for line in "\${(@f)$(marc __complete zsh "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      [[ $PREFIX == -*=* ]] && compset -P 1 '*='
      _files
      return
    fi
    name=\${\${line%%$'\\t'*}//:/\\\\:}
    # Without a description _describe shows the name alone.
    [[ $line == *$'\\t'?* ]] && name+=":\${line#*$'\\t'}"
    [[ -n $name ]] && found+=("$name")
  done
  (( $#found )) && _describe -V 'marc' found
}
if [[ $funcstack[1] == _marc ]]; then
  _marc "$@"
else
  compdef _marc marc
fi
`,
  fish: `function __marc_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l found (marc __complete fish $before[2..-1] "$current" 2>/dev/null)
    if contains -- :files $found
        set -l option (string match -r -- '^-[^=]*=' "$current")
        printf '%s\\n' "$option"(__fish_complete_path (string replace -r -- '^-[^=]*=' '' "$current"))
    else
        printf '%s\\n' $found
    end
end
complete -c marc -f -k -a '(__marc_complete)'
`,
} as const satisfies Record<string, string>

export type ShellName = keyof typeof SHELLS

export const isShellName = (name: string): name is ShellName => Object.hasOwn(SHELLS, name)
