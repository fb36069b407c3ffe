/**
 * Completion for zsh, with what each word means; read from a file, or found in the fpath as `_papertape`.
 */
export const ZSH_SCRIPT = `#compdef papertape
# papertape completion for zsh: source <(papertape completion zsh)

# The program that would run: the one that is named, or the user's own one of the project around where npx or an alias finds it.
_papertape_program() {
  local named=\${1/#\\~\\//$HOME/} folder=$PWD/ each
  if [[ $named != npx ]]; then
    whence -p -- $named || whence -p papertape && return
    whence papertape >/dev/null || return
  fi
  while [[ -n $folder ]]; do
    for each in node_modules/.bin/papertape bin/papertape.js; do
      [[ -x $folder$each && -O $folder$each ]] && print -r -- $folder$each && return
    done
    folder=\${folder%/}
    folder=\${folder%"\${folder##*/}"}
  done
  whence -p papertape
}

_papertape() {
  local named=\${(Q)words[1]} program line word says
  local -a said found
  if [[ $named == npx ]]; then
    while [[ $words[2] == -* ]]; do shift words; (( CURRENT-- )); done
    if [[ $words[2] != papertape ]] || (( CURRENT < 3 )); then
      _default
      return
    fi
    shift words
    (( CURRENT-- ))
  fi
  program=$(_papertape_program $named)
  [[ -n $program ]] || { _default; return }

  said=("\${(@f)$($program --get-completions "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  # The part before a value stays as it is.
  [[ $PREFIX == --*=* ]] && compset -P 1 '*=' && said=("\${(@)said/#--[^=]#=/}")
  for line in "\${(@)said[2,-1]}"; do
    word=\${line%%$'\\t'*}
    says=\${line#*$'\\t'}
    found+=("\${word//:/\\\\:}\${says:+:$says}")
  done
  local tag=values result=1
  [[ $PREFIX == -* ]] && tag=options
  (( $#found > 0 )) && _describe -t $tag papertape found && result=0
  if [[ $said[1] != words ]]; then
    # A file may follow its market.
    _files || { compset -P '*=' && _files } && result=0
  fi
  return result
}
_papertape_register() {
  compdef _papertape papertape
  (( $+_comps[npx] )) || compdef _papertape npx
}

# Before the first prompt, for a shell whose completion is begun later, or never.
_papertape_late() {
  add-zsh-hook -d precmd _papertape_late
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  _papertape_register
}

if (( ! $+functions[compdef] )); then
  autoload -Uz add-zsh-hook && add-zsh-hook precmd _papertape_late
else
  _papertape_register
  # As a file of the fpath it is run when it is first asked.
  [[ $funcstack[1] != _papertape ]] || _papertape "$@"
fi
`
