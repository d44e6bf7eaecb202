import { shorten } from '../json.ts';
import { type AnomalyDetector, NONE } from './scene.ts';

/**
 * Phrases that are spoken to a model and to nobody else. Few, so that a tool's ordinary hints ("call list_files first")
 * pass; a page about prompt injection is told as well, since nobody can tell it from one that does it.
 */
const PHRASES: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override) (?:all |any |every |the |your |of |these |those |my ){0,4}(?:previous|prior|above|earlier|preceding|foregoing|system|original) (?:and \w+ )?(?:instructions?|prompts?|messages?|rules|directions|directives|guidelines|context)\b/i,
  /\b(?:new|updated|revised|real) (?:system )?(?:instructions?|directives?) (?:for (?:you|the (?:assistant|model|ai))\b|:)/i,
  /\bdo not (?:tell|inform|mention (?:this |it )?to|reveal (?:this |it )?to|show (?:this |it )?to|alert|notify) (?:the |your )?(?:user|human)s?\b/i,
  /\bwithout (?:telling|informing|notifying|alerting|asking) (?:the |your )?(?:user|human)\b/i,
  /\b(?:reveal|print|output|repeat|send|leak|exfiltrate|disclose) (?:me )?(?:your|the) (?:full |entire |hidden |complete )?(?:system prompt|system message|initial instructions)\b/i,
  /\byou are now (?:an? |in )(?:\w+ ){0,3}(?:mode|assistant|ai|model|agent)\b/i,
  /<\|(?:im_start|im_end|system|endoftext|start_header_id)\|>|\[\/?INST\]|<<SYS>>/,
  /<(?:IMPORTANT|SYSTEM|system-reminder|system_prompt|instructions_for_(?:ai|assistant|model))>/,
  /\bignoriere? (?:bitte )?(?:alle )?(?:vorherigen|bisherigen|obigen) (?:anweisungen|instruktionen|regeln)/i,
  /\b(?:ignore[rz]?|oublie[rz]?) (?:toutes )?(?:les |tes |vos )?(?:instructions|consignes) (?:précédentes|antérieures|ci-dessus)/i,
  /\b(?:ignora|ignore|olvida) (?:todas )?(?:las |tus |sus )?(?:instrucciones|indicaciones) (?:anteriores|previas)/i,
  /\bignore (?:todas )?as instruções (?:anteriores|acima)/i,
  /\bignora (?:tutte )?le istruzioni precedenti/i,
  /(?:忽略|无视|無視)(?:之前|以上|先前|上面|前面)(?:的)?(?:所有|全部)?(?:指令|指示|说明|提示)/,
  /(?:以前|これまで|上記)の(?:すべての)?(?:指示|命令)を(?:無視|忘れ)/,
  /игнорируй(?:те)? (?:все )?(?:предыдущие|прежние) (?:инструкции|указания)/i,
  /이전(?:의)? (?:모든 )?(?:지시|명령)(?:를|을|사항을)? 무시/,
];
const MAX_TEXT = 20_000;

/** Text from a server that may be meant to steer the model: in answers, and in what a tool says of itself. */
export const detectInstructions: AnomalyDetector = (scene) => {
  const isRead = scene.sender === 'server' && (scene.placed.as === 'settled' || scene.placed.as === 'after');
  for (const { text, pointer } of isRead ? scene.texts() : []) {
    const part = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`;
    for (const pattern of PHRASES) {
      const match = part.length < 8 ? null : pattern.exec(part);
      if (match !== null) {
        const around = part.slice(Math.max(0, match.index - 30), match.index + match[0].length + 60);
        return [{ code: 'instructionsToModel', args: { text: shorten(around.replace(/\s+/g, ' ')) }, pointer }];
      }
    }
  }
  return NONE;
};
