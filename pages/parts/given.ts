/**
 * The data of the page, which stand in its document.
 */
import { unfolded } from '../../src/report/folded-data.ts'
import { byId } from './dom.ts'

/** Lines of a detail of the document. @throws when it has none of that index */
export const givenDetail = (index: number): readonly string[] =>
  byId(`detail-${index}`, HTMLScriptElement).text.trim().split('\n')

/** Content that is shown before the data are unfolded. @throws when the document has none */
export const givenHead = (): unknown => JSON.parse(byId('head', HTMLScriptElement).text)

/** @throws when the document has none */
export const given = (): unknown => unfolded(byId('data', HTMLScriptElement).text)
