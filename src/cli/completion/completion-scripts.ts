/**
 * The scripts by which shells complete the command line: each asks `papertape --get-completions` for every word, and names files
 * where that knows none.
 */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof SHELLS)[number]

/** A word of its own line is one candidate, so that names may have spaces. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# papertape completion for bash: source <(papertape completion bash), in ~/.bashrc for every shell
_papertape() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(papertape --get-completions "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _papertape papertape
`,
  zsh: `#compdef papertape
# papertape completion for zsh: source <(papertape completion zsh), in ~/.zshrc behind compinit for every shell
_papertape() {
  local -a found
  found=("\${(@f)$(papertape --get-completions "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "\${found[1]}" ]] && compadd -- "\${found[@]}"
  _files
}
compdef _papertape papertape
`,
  fish: `# papertape completion for fish: papertape completion fish > ~/.config/fish/completions/papertape.fish
complete -c papertape -a '(papertape --get-completions (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}
