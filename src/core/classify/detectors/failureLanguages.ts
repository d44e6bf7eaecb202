import type { FailureWords } from './failureWords.ts';

/** Languages beside those of `failureWords.ts`, by the same rules: anchored, bounded, linear. */
export const MORE_FAILURE_WORDS: readonly FailureWords[] = [
  {
    language: 'tr',
    stems: ['hata', 'amadı', 'emedi', 'başarısız'],
    openings: [
      /^hata(?:\s?[:：!]|$)/iu,
      /^[^.\n]{0,100}?(?<!bulun)(?:amadı|emedi)(?![\p{L}])/iu,
      /^(?:\p{L}+ ){0,4}başarısız(?: oldu)?(?:[\s:：.!]|$)/iu,
      /^bir hata oluştu/iu,
    ],
    negations: [],
  },
  {
    language: 'ar',
    stems: ['تعذ', 'فشل', 'خطأ', 'لا يمكن', 'لم يتم'],
    openings: [/^(?:تعذر|تعذّر|فشل|فشلت|حدث خطأ|لا يمكن)(?:[\s:：]|$)|^خطأ(?:\s?[:：!]|$| في | أثناء )/u],
    negations: [/^لم يتم(?! العثور)/u],
  },
  {
    language: 'sv',
    stems: ['fel', 'kunde inte', 'misslyck', 'gick inte', 'nekad'],
    openings: [
      /^(?:ett )?(?:\p{L}+ )?fel(?:[:：!]|$| uppstod| inträffade| har uppstått| vid | när )/iu,
      /^(?:det gick inte|kunde inte|misslyckades|misslyckad)(?:\s|$)/iu,
      /^åtkomst nekad/iu,
    ],
    negations: [/^[^.\n]{1,120}?(?:kunde inte|misslyckades)(?![\p{L}])/iu],
  },
  {
    language: 'da',
    stems: ['fejl', 'feil', 'ikke', 'mislyk'],
    openings: [
      /^(?:fejl|feil)(?:[:：!]|$| ved | under | i )/iu,
      /^(?:der opstod|det oppst[oå]d?|det oppsto) en (?:fejl|feil)/iu,
      /^(?:kunne ikke|mislykkedes|mislyktes)(?:\s|$)/iu,
    ],
    negations: [/^[^.\n]{1,120}?(?:kunne ikke|mislykkedes|mislyktes)(?![\p{L}])/iu],
  },
  {
    language: 'cs',
    stems: ['chyb', 'nepoda', 'nelze', 'selhal', 'nezda'],
    openings: [
      /^chyba(?:\s?[:：!]|$| při | serveru)/iu,
      /^(?:nepodařilo se|nelze|selhal[ao]?|došlo k chybě)(?:\s|$)/iu,
    ],
    negations: [/^[^.\n]{1,120}?(?:se nezdařil[ao]?|selhal[ao]?|se nepodařilo)(?![\p{L}])/iu],
  },
  {
    language: 'uk',
    stems: ['помилк', 'не вдал', 'неможлив'],
    openings: [
      /^помилка(?:\s?[:：!]|$| (?:при|під час|у|в|доступу|сервера)\s)/iu,
      /^(?:не вдалося|сталася помилка|неможливо)(?:\s|$)/iu,
    ],
    negations: [/^[^.\n]{1,120}?не вдалося(?![\p{L}])/iu],
  },
  {
    language: 'id',
    stems: ['gagal', 'kesalahan', 'tidak'],
    openings: [/^(?:gagal|terjadi kesalahan)(?:[\s:：!]|$)|^kesalahan\s?[:：!]/iu, /^tidak dapat (?!menemukan)\p{L}/iu],
    negations: [/^[^.\n]{1,80}? gagal(?:[\s:：.!]|$)/iu],
  },
  {
    language: 'vi',
    stems: ['lỗi', 'thất bại', 'không thể'],
    openings: [
      /^(?:đã xảy ra lỗi|thất bại)(?:[\s:：!]|$)|^lỗi(?:\s?[:：!]|$| khi )/iu,
      /^không thể (?!tìm thấy)\p{L}/iu,
    ],
    negations: [/^[^.\n]{1,80}? thất bại(?:[\s:：.!]|$)/iu],
  },
  {
    language: 'hi',
    stems: ['त्रुटि', 'विफल', 'असफल'],
    openings: [/^त्रुटि\s?(?:[:：!]|$)/u, /^[^।\n]{0,60}?(?:विफल|असफल)(?: रहा| हुआ| हो गया)?(?:[\s:：।!]|$)/u],
    negations: [],
  },
  {
    language: 'hu',
    stems: ['hiba', 'nem sikerült'],
    openings: [/^hiba\s?(?:[:：!]|$)|^nem sikerült(?:\s|$)/iu],
    negations: [],
  },
  {
    language: 'ro',
    stems: ['eroare', 'nu s', 'nu am'],
    openings: [/^eroare\s?(?:[:：!]|$)|^(?:nu s-a putut|nu am putut)(?:\s|$)/iu],
    negations: [],
  },
  {
    language: 'fi',
    stems: ['virhe', 'ei voitu', 'epäonnistui'],
    openings: [/^virhe\s?(?:[:：!]|$)|^(?:ei voitu|epäonnistui)(?:\s|$)/iu],
    negations: [],
  },
  {
    language: 'el',
    stems: ['σφάλμα', 'αποτυχία', 'δεν ήταν'],
    openings: [/^(?:σφάλμα|αποτυχία)\s?(?:[:：!]|$)|^δεν ήταν δυνατ[όή](?:\s|$)/iu],
    negations: [],
  },
  {
    language: 'he',
    stems: ['שגיאה', 'נכשל', 'לא ניתן'],
    openings: [/^שגיאה\s?(?:[:：!]|$)|^(?:נכשל|לא ניתן)(?:\s|$)/u],
    negations: [],
  },
  {
    language: 'th',
    stems: ['ข้อผิดพลาด', 'ไม่สามารถ', 'ล้มเหลว'],
    openings: [/^(?:ข้อผิดพลาด|ไม่สามารถ|ล้มเหลว)/u],
    negations: [],
  },
];

/**
 * A failure told within a sentence by a verb, in the languages that are known. A participle in front of a noun ("3
 * rejected requests") and a bare noun ("5 errors") tell what is counted, not what became of it. Weak by itself: it
 * decides only beside something that makes failure likely, such as a count of what was done.
 */
export const TELLS_FAILURE =
  /(?<![\p{L}])(?:could not|couldn['’]t|unable to|did not|didn['’]t|(?:was|were)(?: not|n['’]t)|not valid|(?:failed|rejected|refused|denied|declined|bounced|unreachable|unreadable|unavailable|timed out|corrupt(?:ed)?)(?=\s*(?:$|[\n.,;:(–—!]|to |because |due |by |with |as |since ))|fehlgeschlagen|konnten? (?:\S+ ){0,6}?nicht|wurden? nicht|abgelehnt|gescheitert|échoué\p{L}*|en échec|n['’](?:a|ont) (?:pas|pu)|refusée?s?(?=\s*(?:$|[\n.,;:(]))|rejetée?s?(?=\s*(?:$|[\n.,;:(]))|introuvables?|fall(?:ó|aron|id[oa]s)|no (?:se )?(?:pudo|pudieron)|(?:fue|fueron) rechazad[oa]s?|falh(?:ou|aram)|não (?:foi|foram|pôde|puderam) \p{L}+|rejeitad[oa]s?|recusad[oa]s?|fallit[oaie]|non (?:è|sono) stat[oaie] \p{L}+|non riuscit[oaie]|rifiutat[oaie]|не удал(?:ось|ся|ась)|не был[аои]? \p{L}+|отклонен\p{L}*|не вдал(?:ося|ась)|nie udał\p{L}+|odrzucon\p{L}+|nie został\p{L}* \p{L}+|mislukt|niet (?:gelukt|gevonden)|geweigerd|kunde inte|misslyckades|kunne ikke|mislykkedes|selhal[aoy]?|nepodařilo|başarısız|\p{L}+(?:amadı|emedi)|gagal|thất bại|không thể|تعذر|فشل|فشلت)(?![\p{L}])|失败(?!的)|失敗(?!した\p{Script=Han}|の)|未能|无法|拒绝|できませんでした|できなかった|拒否|실패(?!한)|못했습니다|विफल|असफल/iu;
