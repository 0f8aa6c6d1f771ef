"""Word lists behind the rules that make pairs. English only: the models are trained on English text."""

from __future__ import annotations


def _pairs(text: str) -> dict[str, str]:
    return dict(entry.split(":", 1) for line in text.strip().splitlines() for entry in line.strip().split(" | "))


SYNONYMS = _pairs(
    """
    said:stated | says:states | told:informed | began:started | begin:start | started:began | ended:finished | bought:purchased | buy:purchase
    sold:marketed | big:large | large:big | small:little | huge:enormous | quickly:rapidly | rapidly:quickly | fast:quick | begins:starts
    shows:demonstrates | showed:demonstrated | show:demonstrate | help:assist | helps:assists | helped:assisted | need:require | needs:requires
    needed:required | get:obtain | gets:obtains | got:obtained | use:utilize | uses:utilizes | used:utilized | using:utilizing | about:roughly
    approximately:around | roughly:approximately | nearly:almost | almost:nearly | many:numerous | numerous:many | several:a number of
    important:significant | significant:important | however:nevertheless | because:since | often:frequently | frequently:often | usually:typically
    also:additionally | children:kids | kids:children | movie:film | film:movie | car:vehicle | cars:vehicles | doctor:physician | doctors:physicians
    company:firm | companies:firms | firm:company | near:close to | made:produced | make:produce | makes:produces | created:made | creates:makes
    built:constructed | build:construct | chose:selected | chosen:selected | choose:select | gave:provided | gives:provides | give:provide
    provides:offers | provide:offer | provided:offered | offers:provides | allow:let | allows:lets | allowed:permitted | kept:retained
    found:discovered | discovered:found | announced:declared | reported:said | according:according | want:wish | wants:wishes | wanted:wished
    looked:appeared | seems:appears | seem:appear | appeared:seemed | died:passed away | killed:slain | hurt:injured | injured:wounded
    lives:resides | lived:resided | live:reside | born:born | famous:well-known | well-known:famous | smart:clever | difficult:hard | hard:difficult
    easy:simple | simple:easy | happy:glad | sad:unhappy | angry:furious | afraid:scared | rich:wealthy | wealthy:rich | poor:impoverished
    total:overall | main:primary | primary:main | major:key | key:crucial | reduce:lower | reduced:lowered | reducing:lowering | lowered:reduced
    increase:rise | increased:rose | rose:climbed | fell:dropped | dropped:fell | grew:expanded | grow:expand | expanded:grew | join:enter
    attempt:try | tried:attempted | try:attempt | tries:attempts | ask:request | asked:requested | answer:reply | answered:replied | replied:responded
    agreed:consented | disagree:differ | stop:halt | stopped:halted | stops:halts | continue:carry on | continued:went on | remain:stay | remained:stayed
    remains:stays | stayed:remained | received:got | receive:get | sent:dispatched | arrived:came | leave:depart | left:departed | go:travel
    went:traveled | area:region | region:area | country:nation | nation:country | city:town | home:house | job:position | work:labor
    money:funds | funds:money | cost:price | price:cost | purchase:buy | test:exam | idea:notion | problem:issue | problems:issues | issue:problem
    issues:problems | result:outcome | results:outcomes | goal:aim | goals:aims | aim:goal | method:approach | approach:method | methods:approaches
    study:research | experts:specialists | people:individuals | person:individual | officials:authorities | authorities:officials | attack:assault
    attorney:lawyer | lawyer:attorney | police:officers | student:pupil | students:pupils | teacher:instructor | boss:manager | staff:employees
    employees:workers | workers:employees | customers:clients | clients:customers | users:people using it | approved:authorized | ban:prohibit
    banned:prohibited | require:need | requires:needs | required:needed | ensure:make sure | ensures:makes sure | including:such as | currently:at present
    previously:earlier | later:afterwards | initially:at first | eventually:in the end | recently:lately | immediately:right away | mostly:mainly
    mainly:mostly | partly:partially | entire:whole | whole:entire | various:different | similar:comparable | different:distinct | additional:extra
    extra:additional | main:chief | wrote:authored | written:authored | starring:featuring | plays:portrays | played:portrayed | won:secured
    won't:will not | don't:do not | doesn't:does not | didn't:did not | isn't:is not | aren't:are not | wasn't:was not | weren't:were not | can't:cannot
    couldn't:could not | wouldn't:would not | shouldn't:should not | hasn't:has not | haven't:have not | hadn't:had not | it's:it is | i'm:i am
    that's:that is | they're:they are | we're:we are | you're:you are | he's:he is | she's:she is | i've:i have | we've:we have | i'll:i will
    """
)

ANTONYMS = _pairs(
    """
    increase:decrease | increased:decreased | increases:decreases | increasing:decreasing | decrease:increase | decreased:increased | decreasing:increasing
    rose:fell | fell:rose | rise:fall | rising:falling | falling:rising | higher:lower | lower:higher | more:less | less:more | fewer:more
    most:least | least:most | best:worst | worst:best | better:worse | worse:better | first:last | last:first | early:late | late:early
    earlier:later | later:earlier | before:after | after:before | largest:smallest | smallest:largest | larger:smaller | smaller:larger | large:small
    small:large | big:small | high:low | low:high | long:short | short:long | longer:shorter | shorter:longer | old:new | new:old | older:younger
    younger:older | oldest:youngest | youngest:oldest | strong:weak | weak:strong | stronger:weaker | weaker:stronger | fast:slow | slow:fast
    faster:slower | slower:faster | hot:cold | cold:hot | warm:cool | cool:warm | rich:poor | poor:rich | easy:difficult | difficult:easy | simple:complex
    complex:simple | safe:dangerous | dangerous:safe | public:private | private:public | positive:negative | negative:positive | success:failure
    successful:unsuccessful | unsuccessful:successful | failed:succeeded | succeeded:failed | win:lose | won:lost | lost:won | winning:losing
    gained:lost | accept:reject | accepted:rejected | rejected:accepted | approved:rejected | agree:disagree | agreed:refused | support:oppose
    supported:opposed | supports:opposes | opposed:supported | allow:forbid | allowed:forbidden | allows:prevents | prevent:allow | banned:permitted
    include:exclude | includes:excludes | including:excluding | included:excluded | excluding:including | open:closed | opened:closed | closed:opened
    start:end | started:ended | starts:ends | began:ended | begin:end | ended:began | bought:sold | buy:sell | sold:bought | sell:buy | buying:selling
    love:hate | loved:hated | loves:hates | like:dislike | likes:dislikes | liked:disliked | enjoy:dislike | happy:unhappy | sad:cheerful
    male:female | female:male | man:woman | woman:man | men:women | women:men | boy:girl | girl:boy | son:daughter | daughter:son | brother:sister
    sister:brother | father:mother | mother:father | husband:wife | wife:husband | king:queen | he:she | north:south | south:north | east:west | west:east
    northern:southern | southern:northern | eastern:western | western:eastern | left:right | right:left | top:bottom | up:down | down:up | above:below
    below:above | inside:outside | outside:inside | over:under | under:over | always:never | never:always | all:none of the | everyone:no one | often:rarely
    rarely:often | common:rare | rare:common | popular:unpopular | unpopular:popular | legal:illegal | illegal:legal | possible:impossible
    impossible:possible | able:unable | unable:able | likely:unlikely | unlikely:likely | known:unknown | unknown:known | true:false | false:true
    guilty:innocent | innocent:guilty | dead:alive | alive:dead | died:survived | survived:died | born:died | married:divorced | divorced:married
    full:empty | empty:full | light:dark | dark:light | heavy:light | present:absent | absent:present | temporary:permanent | permanent:temporary
    major:minor | minor:major | maximum:minimum | minimum:maximum | expand:shrink | expanded:shrank | growth:decline | decline:growth | grew:shrank
    improved:worsened | improve:worsen | improving:worsening | strengthen:weaken | strengthened:weakened | exceeded:missed | exceed:miss | profit:loss
    loss:gain | gains:losses | losses:gains | revenue:cost | domestic:foreign | foreign:domestic | local:international | international:local
    modern:ancient | ancient:modern | urban:rural | rural:urban | single:married | many:few | few:many | several:no | both:neither of the | with:without
    without:with | majority:minority | minority:majority | arrived:left | came:went | remember:forget | forgot:remembered | add:remove | added:removed
    remove:add | removed:added | raise:lower | raised:lowered | reduce:increase | reduced:increased | reduces:increases | reducing:increasing
    lowered:raised | push:pull | send:receive | sent:received | received:sent | teach:learn | arrest:release | arrested:released | released:withheld
    confirmed:denied | denied:confirmed | deny:confirm | confirm:deny | admitted:denied | true:untrue | optimistic:pessimistic | confident:doubtful
    recommended:advised against | recommends:advises against | recommend:advise against | outperforms:underperforms | outperform:underperform
    upper:lower | acquired:sold | hired:fired | fired:hired | defeated:lost to | beat:lost to | wet:dry | dry:wet | soft:hard | thick:thin | thin:thick
    """
)

MODALITY = _pairs(
    """
    may:will | might:will | could:will | can:must | should:must | will:might | must:may | would:did | some:all | many:all | most:all | often:always
    sometimes:always | usually:always | rarely:never | several:all | possibly:certainly | probably:definitely | likely:certain | allegedly:demonstrably
    suggests:proves | suggest:prove | suggested:proved | indicates:proves | indicate:prove | believed:proven | believe:know | expected:guaranteed
    plans:refuses | planned:refused | plan:refuse | expects:guarantees | hopes:expects | considering:implementing | proposed:enacted | tried:managed
    attempted:managed | tries:manages | partially:fully | partly:entirely | almost:more than | nearly:more than | about:exactly | only:not only | up:down
    alleged:proven | reportedly:officially | estimated:confirmed | potential:actual | rumored:confirmed | claims:proves | claimed:proved | preliminary:final
    """
)

FRAMES = [
    "According to the text, {}", "According to the source, {}", "The passage states that {}", "The document says that {}", "The article reports that {}",
    "It is stated that {}", "The text mentions that {}", "As described, {}", "The source notes that {}", "Based on the given information, {}",
    "Additionally, {}", "Furthermore, {}", "Also, {}", "In summary, {}", "Overall, {}", "Specifically, {}", "Notably, {}", "In addition, {}",
    "Yes, {}", "It is worth noting that {}", "The passage mentions that {}", "From the passages provided, {}", "In fact, {}",
]  # fmt: skip

ADDED = [
    "in order to save money", "because of financial problems", "for the first time in history", "despite strong opposition", "after several years of delay",
    "which surprised many observers", "in response to public pressure", "and it was widely praised by critics", "to the delight of fans", "due to bad weather",
    "which led to a lawsuit", "with the support of the government", "although nobody expected it", "and won an award for it", "as part of a larger plan",
    "which has since been discontinued", "following a long investigation", "for health reasons", "without any prior notice", "according to a recent study",
    "making it the largest of its kind", "and it became a great success", "which is why it is so popular today", "in front of a large crowd",
    "at the request of the family", "on the advice of experts", "to attract younger people", "and is considered the best in the world", "every single year",
    "as was confirmed by a spokesperson", "which caused considerable controversy", "while working from home", "in collaboration with a local university",
]  # fmt: skip

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
           "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]  # fmt: skip
