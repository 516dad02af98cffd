/* Plain C twins of the simulation's kernels, for the limit: the same deals, decisions and payouts, as a
   C programmer would write them. They play one round after another, have the payouts in their code
   and keep the sum of the nets, where Houseway's kernels deal a batch of rounds before they look at
   it, read the payouts from the chapter and count every outcome. Built and run by bench/run; prints
   rounds a second for each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t counter = 88172645463325252ull;
static inline uint64_t word(void) {
    uint64_t z = (counter += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
/* One number below n, every one equally likely (Lemire). */
static inline uint32_t below(uint32_t n) {
    uint64_t m = (word() >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t t = -n % n;
        while ((uint32_t)m < t) m = (word() >> 32) * n;
    }
    return m >> 32;
}
static inline void draw(int *deck, int size, int count) {
    for (int i = 0; i < count; i++) {
        int j = i + below(size - i), t = deck[i];
        deck[i] = deck[j];
        deck[j] = t;
    }
}

/* three-card values: rank of hand, then the cards that break ties */
static int value_of(int a, int b, int c) {
    int r[3] = {a >> 2, b >> 2, c >> 2}, t;
    if (r[0] < r[1]) t = r[0], r[0] = r[1], r[1] = t;
    if (r[1] < r[2]) t = r[1], r[1] = r[2], r[2] = t;
    if (r[0] < r[1]) t = r[0], r[0] = r[1], r[1] = t;
    int flush = (a & 3) == (b & 3) && (b & 3) == (c & 3);
    if (r[0] == r[2]) return 4 * 2197 + r[0];
    if (r[0] == r[1] || r[1] == r[2]) return 2197 + r[1] * 13 + (r[0] == r[1] ? r[2] : r[0]);
    int wheel = r[0] == 12 && r[1] == 1 && r[2] == 0;
    if (r[0] - r[2] == 2 || wheel) return (flush ? 5 : 3) * 2197 + (wheel ? 1 : r[0]);
    return (flush ? 2 : 0) * 2197 + r[0] * 169 + r[1] * 13 + r[2];
}
static uint16_t values[2][13][13][13];
static inline int value(int a, int b, int c) {
    return values[((a ^ b) & 3) == 0 && ((b ^ c) & 3) == 0][a >> 2][b >> 2][c >> 2];
}
static const int pair_plus[6] = {-1, 1, 4, 6, 25, 35}, bonus[6] = {0, 0, 0, 1, 4, 5};
#define LEAST (10 * 169 + 4 * 13 + 2) /* Q-6-4 */
#define QUALIFIES (10 * 169)

static inline int settle_three(int mine, int dealer) {
    int net = pair_plus[mine / 2197];
    if (mine < LEAST) return net - 1;
    net += bonus[mine / 2197];
    if (dealer < QUALIFIES) return net + 1;
    return net + (mine > dealer ? 2 : mine < dealer ? -2 : 0);
}

static double three_by_card(long n, long *sum) {
    int deck[52];
    for (int i = 0; i < 52; i++) deck[i] = i;
    double t = now();
    for (long k = 0; k < n; k++) {
        draw(deck, 52, 6);
        *sum += settle_three(value(deck[0], deck[1], deck[2]), value(deck[3], deck[4], deck[5]));
    }
    return n / (now() - t);
}

static uint64_t hand_set[22100];
static uint16_t hand_value[22100];
static double three_by_hand(long n, long *sum) {
    int h = 0;
    for (int a = 0; a < 52; a++)
        for (int b = a + 1; b < 52; b++)
            for (int c = b + 1; c < 52; c++, h++) {
                hand_set[h] = 1ull << a | 1ull << b | 1ull << c;
                hand_value[h] = value(a, b, c);
            }
    double t = now();
    for (long k = 0; k < n;) {
        uint64_t w = word(), x = (w >> 32) * 22100, y = (uint32_t)w * 22100ull;
        const uint32_t favored = (1ull << 32) % 22100;
        if ((uint32_t)x < favored || (uint32_t)y < favored) continue;
        int p = x >> 32, d = y >> 32;
        if (hand_set[p] & hand_set[d]) continue;
        *sum += settle_three(hand_value[p], hand_value[d]);
        k++;
    }
    return n / (now() - t);
}

/* best five of six, as in the side wagers: 0 royal flush … 9 high card */
static uint8_t straights[8192];
static uint64_t bit[53];
static int best_six(uint64_t held) {
    unsigned c = held & 8191, d = held >> 16 & 8191, h = held >> 32 & 8191, s = held >> 48;
    unsigned suits[4] = {c, d, h, s};
    int flush = 0;
    for (int i = 0; i < 4; i++)
        if (__builtin_popcount(suits[i]) >= 5) {
            if ((suits[i] & 0x1F00) == 0x1F00) return 0;
            if (straights[suits[i]]) return 1;
            flush = 1;
        }
    unsigned any = c | d | h | s, two = (c & d) | ((c | d) & h) | ((c | d | h) & s);
    unsigned three = (c & d & h) | (c & d & s) | (c & h & s) | (d & h & s);
    if (c & d & h & s) return 2;
    if (three && (two & (two - 1))) return 3;
    if (flush) return 4;
    if (straights[any]) return 5;
    if (three) return 6;
    if (two) return two & (two - 1) ? 7 : 8;
    return 9;
}

/* Three Card Prime, one player, ante, play, Prime, Pair Bonus A, All-Six A, bad beat A */
#define RED(c) (((c) & 3) == 1 || ((c) & 3) == 2)
static inline int settle_prime(int mine, int dealer, int red, int other, int fourth, int six) {
    static const int play[6] = {1, 1, 1, 2, 5, 6}, beat[6] = {0, 0, 0, 4, 10, 12};
    static const int not_two[6] = {-1, 1, 3, 6, 30, 40}, two[6] = {-1, 1, 6, 12, 60, 80};
    static const int all_six[10] = {1000, 200, 50, 25, 20, 10, 5, -1, -1, -1};
    int kind = mine / 2197, royal = mine == 5 * 2197 + 12, net;
    if (mine < LEAST) net = -1;
    else if (dealer < QUALIFIES) net = 1;
    else if (mine >= dealer) net = 1 + (royal ? 10 : play[kind]);
    else net = beat[kind] ? beat[kind] - 1 : -2;
    net += red % 3 ? -1 : red == other ? 4 : 3;
    net += fourth >> 2 == 0 ? (royal ? 100 : two[kind]) : (royal ? 50 : not_two[kind]);
    return net + all_six[six];
}
static double prime_by_card(long n, long *sum) {
    int k[52];
    for (int i = 0; i < 52; i++) k[i] = i;
    double t = now();
    for (long i = 0; i < n; i++) {
        draw(k, 52, 7);
        uint64_t held = bit[k[0]] | bit[k[1]] | bit[k[2]] | bit[k[3]] | bit[k[4]] | bit[k[5]];
        *sum += settle_prime(value(k[3], k[4], k[5]), value(k[0], k[1], k[2]),
                             RED(k[3]) + RED(k[4]) + RED(k[5]), RED(k[0]) + RED(k[1]) + RED(k[2]),
                             k[6], best_six(held));
    }
    return n / (now() - t);
}

/* With two of Houseway's ideas: the draws of a round share one word (Brackett-Rozinsky and Lemire),
   and the six cards are found by the ranks of both hands unless five may share a suit. */
static inline void draw_batch(int *deck, int size, int count) {
    uint64_t bound = 1;
    for (int i = 0; i < count; i++) bound *= size - i;
    for (;;) {
        uint64_t left = word();
        for (int i = 0; i < count; i++) {
            unsigned __int128 m = (unsigned __int128)left * (uint64_t)(size - i);
            int j = i + (int)(m >> 64), t = deck[i];
            left = (uint64_t)m;
            deck[i] = deck[j];
            deck[j] = t;
        }
        if (left >= bound || left >= -bound % bound) return;
    }
}
static uint16_t ranks_number[13][13][13];
static uint8_t six_by_ranks[455][455];
static void number_ranks(void) {
    int r[455][3], n = 0;
    for (int a = 0; a < 13; a++)
        for (int b = a; b < 13; b++)
            for (int c = b; c < 13; c++, n++) {
                r[n][0] = a; r[n][1] = b; r[n][2] = c;
                ranks_number[a][b][c] = ranks_number[a][c][b] = ranks_number[b][a][c] = n;
                ranks_number[b][c][a] = ranks_number[c][a][b] = ranks_number[c][b][a] = n;
            }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            uint64_t held = 0;
            for (int k = 0; k < 6; k++) {
                int rank = k < 3 ? r[i][k] : r[j][k - 3], suit = 0, seen = 0;
                for (int s = 0; s < 4; s++) seen += held >> (16 * s + rank) & 1;
                suit = seen ? seen : k & 1; /* no five of a suit */
                while (suit < 4 && held >> (16 * suit + rank) & 1) suit++;
                if (suit < 4) held |= 1ull << (16 * suit + rank);
            }
            six_by_ranks[i][j] = best_six(held);
        }
}
static double prime_by_table(long n, long *sum) {
    int k[52];
    uint32_t suits[52];
    number_ranks();
    for (int i = 0; i < 52; i++) k[i] = i, suits[i] = 1u << 4 * (i & 3) | (uint32_t)RED(i) << 16;
    double t = now();
    for (long i = 0; i < n; i++) {
        draw_batch(k, 52, 7);
        int dealer = ranks_number[k[0] >> 2][k[1] >> 2][k[2] >> 2];
        int mine = ranks_number[k[3] >> 2][k[4] >> 2][k[5] >> 2], six = six_by_ranks[dealer][mine];
        uint32_t theirs = suits[k[0]] + suits[k[1]] + suits[k[2]];
        uint32_t ours = suits[k[3]] + suits[k[4]] + suits[k[5]];
        if ((ours + theirs + 0x3333) & 0x8888)
            six = best_six(bit[k[0]] | bit[k[1]] | bit[k[2]] | bit[k[3]] | bit[k[4]] | bit[k[5]]);
        *sum += settle_prime(value(k[3], k[4], k[5]), value(k[0], k[1], k[2]), ours >> 16,
                             theirs >> 16, k[6], six);
    }
    return n / (now() - t);
}

/* Saigon 5 Card, one player, ante and Bonus: set by trying the ten ways */
static const int worth[14] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1, 0};
static int set_best(const int *hand) {
    int v[5], joker = -1, total = 0, best = 0;
    for (int i = 0; i < 5; i++) {
        v[i] = worth[hand[i] >> 2];
        if (hand[i] == 52) joker = i;
        total += v[i];
    }
    static const int jokers[3] = {3, 6, 9};
    for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 5; b++) {
            int pair = v[a] + v[b], three = total - pair;
            if (joker < 0) {
                if (three % 10 == 0) {
                    int count = pair > 10 ? pair - 10 : pair;
                    if (count > best) best = count;
                }
            } else if (joker == a || joker == b) {
                if (three % 10 == 0)
                    for (int j = 0; j < 3; j++) {
                        int p = pair + jokers[j], count = p > 10 ? p - 10 : p;
                        if (count > best) best = count;
                    }
            } else {
                for (int j = 0; j < 3; j++)
                    if ((three + jokers[j]) % 10 == 0) {
                        int count = pair > 10 ? pair - 10 : pair;
                        if (count > best) best = count;
                    }
            }
        }
    return best;
}
static int saigon_bonus(const int *hand) {
    static const int pays[10] = {1000, 100, 50, 20, 15, 12, 10, 8, -1, -1};
    uint64_t held = 0;
    int joker = 0;
    for (int i = 0; i < 5; i++) {
        if (hand[i] == 52) joker = 1;
        held |= bit[hand[i]];
    }
    if (!joker) return pays[best_six(held)];
    int best = -1, aces = 0;
    for (int s = 0; s < 4; s++) {
        aces += held >> (16 * s + 12) & 1;
        uint64_t ace = 1ull << (16 * s + 12);
        if (!(held & ace)) {
            int p = pays[best_six(held | ace)];
            if (p > best) best = p == 1000 ? 250 : p;
        }
    }
    if (aces == 4) return 5000;
    unsigned c = held & 8191, d = held >> 16 & 8191, h = held >> 32 & 8191, s = held >> 48;
    unsigned any = c | d | h | s;
    if (__builtin_popcount(any) == 4) {
        int flush = any == c || any == d || any == h || any == s, run = 0;
        for (int r = 0; r < 13; r++) run |= straights[any | 1u << r];
        int p = flush ? ((any & ~0x1F00u) == 0 ? 250 : run ? 100 : 15) : run ? 12 : -1;
        if (p > best) best = p;
    }
    return best;
}
static inline int settle_saigon(int mine, int dealer) {
    if (!mine) return dealer ? -2 : 0;
    if (dealer && mine <= dealer) return mine < dealer ? -2 : 0;
    return mine == 5 ? 1 : 2;
}
static double saigon_by_trying(long n, long *sum) {
    int k[53];
    for (int i = 0; i < 53; i++) k[i] = i;
    double t = now();
    for (long i = 0; i < n; i++) {
        draw(k, 53, 10);
        *sum += settle_saigon(set_best(k + 5), set_best(k)) + 2 * saigon_bonus(k + 5);
    }
    return n / (now() - t);
}

/* With two of Houseway's ideas: ten draws from one word, and a hand found by the sum of its keys. */
static const int rank_keys[14] = {0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415,
                                  4 * 79415 + 43258 + 1};
#define KEYS (8 * 79415 + 2 * 43258 + 2)
static uint8_t set_of[KEYS];
static int16_t bonus_of[2][KEYS];
static double saigon_by_table(long n, long *sum) {
    int k[53], key[53];
    uint32_t suit[53];
    for (int i = 0; i < 53; i++) {
        k[i] = i;
        key[i] = rank_keys[i >> 2];
        suit[i] = i == 52 ? 0x1111 : 1u << 4 * (i & 3);
    }
#define KEY(h) (key[(h)[0]] + key[(h)[1]] + key[(h)[2]] + key[(h)[3]] + key[(h)[4]])
#define SUITS(h) (suit[(h)[0]] + suit[(h)[1]] + suit[(h)[2]] + suit[(h)[3]] + suit[(h)[4]])
#define FLUSH(h) ((SUITS(h) + 0x3333 & 0x8888) != 0)
    int h[5];
    for (h[0] = 0; h[0] < 53; h[0]++)
        for (h[1] = h[0] + 1; h[1] < 53; h[1]++)
            for (h[2] = h[1] + 1; h[2] < 53; h[2]++)
                for (h[3] = h[2] + 1; h[3] < 53; h[3]++)
                    for (h[4] = h[3] + 1; h[4] < 53; h[4]++) {
                        set_of[KEY(h)] = set_best(h);
                        bonus_of[FLUSH(h)][KEY(h)] = saigon_bonus(h);
                    }
    double t = now();
    for (long i = 0; i < n; i++) {
        draw_batch(k, 53, 10);
        int *mine = k + 5, here = KEY(mine);
        *sum += settle_saigon(set_of[here], set_of[KEY(k)]) + 2 * bonus_of[FLUSH(mine)][here];
    }
    return n / (now() - t);
}

/* evaluating hands that lie in memory */
static double evaluate(long n, int size, long *sum) {
    int count = 1 << 16;
    uint8_t *hands = malloc((size_t)count * size);
    int k[52];
    for (int i = 0; i < 52; i++) k[i] = i;
    for (int i = 0; i < count; i++) {
        draw(k, 52, size);
        for (int j = 0; j < size; j++) hands[i * size + j] = k[j];
    }
    double t = now();
    for (long done = 0; done < n; done += count)
        for (int i = 0; i < count; i++) {
            const uint8_t *h = hands + (size_t)i * size;
            if (size == 3) *sum += value(h[0], h[1], h[2]);
            else {
                uint64_t held = 0;
                for (int j = 0; j < size; j++) held |= bit[h[j]];
                *sum += best_six(held);
            }
        }
    double rate = n / (now() - t);
    free(hands);
    return rate;
}

int main(int argc, char **argv) {
    double scale = argc > 1 ? atof(argv[1]) : 1;
    long sum = 0;
    for (int f = 0; f < 2; f++)
        for (int a = 0; a < 13; a++)
            for (int b = 0; b < 13; b++)
                for (int c = 0; c < 13; c++)
                    values[f][a][b][c] = value_of(a * 4, b * 4 + (f ? 0 : 1), c * 4 + (f ? 0 : 2));
    for (int i = 0; i < 52; i++) bit[i] = 1ull << (16 * (i & 3) + (i >> 2));
    for (unsigned m = 0; m < 8192; m++) {
        unsigned r = m << 1 | m >> 12;
        straights[m] = (r & r >> 1 & r >> 2 & r >> 3 & r >> 4) != 0;
    }
    printf("{\"three_by_card\":%.0f,", three_by_card(20e6 * scale, &sum));
    printf("\"three_by_hand\":%.0f,", three_by_hand(60e6 * scale, &sum));
    printf("\"prime_by_card\":%.0f,", prime_by_card(10e6 * scale, &sum));
    printf("\"prime_by_table\":%.0f,", prime_by_table(10e6 * scale, &sum));
    printf("\"saigon_by_trying\":%.0f,", saigon_by_trying(5e6 * scale, &sum));
    printf("\"saigon_by_table\":%.0f,", saigon_by_table(10e6 * scale, &sum));
    printf("\"evaluate_three\":%.0f,", evaluate((long)(60e6 * scale) & ~65535l, 3, &sum));
    printf("\"evaluate_six\":%.0f,", evaluate((long)(20e6 * scale) & ~65535l, 6, &sum));
    printf("\"sum\":%ld}\n", sum);
    return 0;
}
