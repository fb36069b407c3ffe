/**
 * A block of code in the colours of its language, as HTML; the style sheet colours some of its classes.
 */
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'

/** Languages by their name in the documents; every other has no colours. */
const LANGUAGES = { sh: bash, json, py: python, python, ts: typescript, mjs: typescript, yml: yaml }

for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language)

/**
 * @param {string} code
 * @param {string} language
 * @returns {string | undefined}  undefined of a language that has no colours
 */
export const highlighted = (code, language) =>
  Object.hasOwn(LANGUAGES, language) ? highlighter.highlight(code, { language }).value : undefined
