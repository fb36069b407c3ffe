/**
 * Completion for bash.
 *
 * Known limit: bash 3, which macOS still calls bash, has no `compopt`.
 */
export const BASH_SCRIPT = `# papertape completion for bash 4 and newer: source <(papertape completion bash)

# The program that would run: the one that is named, or the user's own one of the project around where npx or an alias finds it.
_papertape_program() {
  local named=$1 folder=$PWD/ each
  [[ $named == '~/'* ]] && named=$HOME/\${named#'~/'}
  if [[ $named != npx ]]; then
    type -P "$named" || type -P papertape && return
    type papertape &>/dev/null || return
  fi
  while [[ $folder ]]; do
    for each in node_modules/.bin/papertape bin/papertape.js; do
      [[ -x $folder$each && -O $folder$each ]] && printf '%s\\n' "$folder$each" && return
    done
    folder=\${folder%/}
    folder=\${folder%"\${folder##*/}"}
  done
  type -P papertape
}

_papertape() {
  COMPREPLY=()
  # After a redirection comes a file, which bash completes by itself.
  [[ \${COMP_WORDS[COMP_CWORD - 1]} == *[\\<\\>]* ]] && return
  local line=\${COMP_LINE:0:COMP_POINT} words=() word index
  # Bash splits words at '=' and ':'.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    if [[ $index == 0 || $line == [[:space:]]* ]]; then
      words+=('')
      line=\${line#"\${line%%[![:space:]]*}"}
    fi
    word=\${COMP_WORDS[index]}
    [[ $index == "$COMP_CWORD" ]] && word=$line
    words[\${#words[@]} - 1]+=$word
    line=\${line#"$word"}
  done

  local named=\${words[0]}
  words=("\${words[@]:1}")
  if [[ $named == npx ]]; then
    while [[ \${words[0]-} == -* ]]; do words=("\${words[@]:1}"); done
    [[ \${words[0]-} == papertape && \${#words[@]} -gt 1 ]] || return
    words=("\${words[@]:1}")
  fi
  local program
  program=$(_papertape_program "$named")
  [[ $program ]] || return

  local begun=\${words[\${#words[@]} - 1]} breaks=\${COMP_WORDBREAKS//[!=:]/} kept='' kind
  if [[ $begun == [\\'\\"]* ]]; then
    # Behind an open quote bash parts nothing.
    begun=\${begun:1} breaks=''
  fi
  [[ $breaks ]] && kept=\${begun%"\${begun##*[$breaks]}"}
  words[\${#words[@]} - 1]=$begun
  {
    read -r kind
    while IFS=$'\\t' read -r word _; do
      [[ $word == "$begun"* ]] && COMPREPLY+=("\${word#"$kept"}")
    done
  } < <("$program" --get-completions "\${words[@]}" 2>/dev/null)

  if [[ $kind == words ]]; then
    compopt +o default +o bashdefault 2>/dev/null
  elif ((\${#COMPREPLY[@]} > 0)); then
    # By itself bash names files only where there is nothing else.
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${begun#"$kept"}")
  fi
}
complete -o bashdefault -o default -F _papertape papertape
complete -p npx &>/dev/null || complete -o bashdefault -o default -F _papertape npx
`
